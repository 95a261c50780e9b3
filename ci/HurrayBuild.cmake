# SPDX-License-Identifier: Apache-2.0
#
# What every part of the build shares: the flags that keep floating point exact, and one function per
# kind of thing (a target under judgement, a program, a test).

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

option(HURRAY_WERROR "Warnings are errors" OFF)
set(HURRAY_SANITIZE "" CACHE STRING "Sanitizers for everything, as -fsanitize takes them")

# Flags of every language, and those of one. -ffp-contract=off: a fused multiply-add is another number.
add_library(hurray_common_flags INTERFACE)
target_compile_options(hurray_common_flags INTERFACE
  -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  # gcc 12 sees overlapping copies in std::string concatenation where there are none (PR 105651).
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  $<$<BOOL:${HURRAY_WERROR}>:-Werror>)
target_include_directories(hurray_common_flags INTERFACE
  ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/targets)
if(HURRAY_SANITIZE)
  # Enough for readable reports, at half the compile time of -O2 -g.
  set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O1 -g1")
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
  target_compile_options(hurray_common_flags INTERFACE
    -fsanitize=${HURRAY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(hurray_common_flags INTERFACE -fsanitize=${HURRAY_SANITIZE})
  if(HURRAY_SANITIZE MATCHES "fuzzer")
    # Speed is what fuzzers are for.
    set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g1")
    set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")
    target_compile_options(hurray_common_flags INTERFACE
      -fsanitize-coverage-ignorelist=${PROJECT_SOURCE_DIR}/fuzz/uncovered.txt
      # Comparisons are reported nowhere: that is a third of a kernel's time, and the mutator knows the values.
      -fno-sanitize-coverage=trace-cmp
      # What a harness cannot reach has no counters in it: the engine looks at all of them after every execution.
      -ffunction-sections -fdata-sections)
    target_link_options(hurray_common_flags INTERFACE -Wl,--gc-sections)
  endif()
endif()
add_library(hurray_flags INTERFACE)
target_link_libraries(hurray_flags INTERFACE hurray_common_flags)
add_library(hurray_c_flags INTERFACE)
target_link_libraries(hurray_c_flags INTERFACE hurray_common_flags)
target_compile_options(hurray_c_flags INTERFACE
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>)

# Everything but the tests. ./ci/conform.sh builds this.
add_custom_target(programs)

# hurray_add_program(NAME name SOURCES file… [LIBS library…])
function(hurray_add_program)
  cmake_parse_arguments(arg "" "NAME" "SOURCES;LIBS" ${ARGN})
  add_executable(${arg_NAME} ${arg_SOURCES})
  add_dependencies(programs ${arg_NAME})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBS} hurray_c_flags)
endfunction()

# For what is compiled more often than it is waited for: options, JSON, pages, tests. Half the compile time of -O3 goes into
# their templates.
function(hurray_optimize_lightly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# hurray_add_test(NAME name SOURCES file… [LIBS library…]): a GoogleTest program, one CTest entry.
function(hurray_add_test)
  cmake_parse_arguments(arg "" "NAME" "SOURCES;LIBS" ${ARGN})
  if(NOT BUILD_TESTING)
    return()
  endif()
  add_executable(${arg_NAME} ${arg_SOURCES})
  hurray_optimize_lightly(${arg_NAME})  # what is tested is as users have it
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBS} hurray_c_flags GTest::gtest_main)
  add_test(NAME ${arg_NAME} COMMAND ${arg_NAME})
  set_tests_properties(${arg_NAME} PROPERTIES LABELS unit TIMEOUT 300)
endfunction()

# hurray_add_conditional_target(NAME name HERE function): one more table in the library of a target, hurray_target_NAME,
# as builtin:NAME; on machines on which `int function(void)` gives 0 it is named and not called.
function(hurray_add_conditional_target)
  cmake_parse_arguments(arg "" "NAME;HERE" "" ${ARGN})
  set_property(GLOBAL APPEND PROPERTY HURRAY_BUILTIN_TARGETS ${arg_NAME})
  set_property(GLOBAL PROPERTY HURRAY_HERE_${arg_NAME} ${arg_HERE})
endfunction()

# hurray_add_target(NAME name [NOT_IN_REGISTRY] SOURCES file… [LIBS library…]): one implementation of the table of
# hurray_target.h, built from the same sources as
#   hurray_builtin_NAME    static library, symbol hurray_target_NAME, listed among the builtin targets unless NOT_IN_REGISTRY
#   libhurray_NAME.so      shared object for lib:
#   hurray-NAME            program for exec:
function(hurray_add_target)
  cmake_parse_arguments(arg "NOT_IN_REGISTRY" "NAME" "SOURCES;LIBS" ${ARGN})
  string(MAKE_C_IDENTIFIER ${arg_NAME} identifier)

  add_library(hurray_builtin_${arg_NAME} STATIC ${arg_SOURCES})
  target_compile_definitions(hurray_builtin_${arg_NAME} PRIVATE
    HURRAY_TARGET_SYMBOL=hurray_target_${identifier})
  target_link_libraries(hurray_builtin_${arg_NAME} PRIVATE hurray_c_flags PUBLIC ${arg_LIBS})
  if(NOT arg_NOT_IN_REGISTRY)
    set_property(GLOBAL APPEND PROPERTY HURRAY_BUILTIN_TARGETS ${arg_NAME})
  endif()

  add_library(hurray_lib_${arg_NAME} MODULE ${arg_SOURCES})
  add_dependencies(programs hurray_lib_${arg_NAME})
  set_target_properties(hurray_lib_${arg_NAME} PROPERTIES PREFIX lib OUTPUT_NAME hurray_${arg_NAME})
  target_link_libraries(hurray_lib_${arg_NAME} PRIVATE hurray_c_flags ${arg_LIBS})

  hurray_add_program(NAME hurray-${arg_NAME} SOURCES ${arg_SOURCES} LIBS ${arg_LIBS} hurray_kit_main)
endfunction()
