# SPDX-License-Identifier: Apache-2.0
#
# What is installed, and packaged: programs, headers and libraries are installed where they are built; here is what needs
# no build, what find_package finds, and the settings of CPack. ./ci/package.sh makes the packages.

# Each file lies where it lies in the source, so that documents find each other.
set(documents ${CMAKE_INSTALL_DATADIR}/hurray-conformance)
foreach(file RULINGS.md SECURITY.md CHANGELOG.md LICENSE conformance/REPORTS.md conformance/CERTIFICATION.md conformance/errata.toml
    conformance/PORTING.md conformance/PROTOCOL.md conformance/bundled.toml conformance/profiles.toml conformance/oracle/README.md)
  get_filename_component(folder ${file} DIRECTORY)
  install(FILES ${file} DESTINATION ${documents}/${folder})
endforeach()
install(DIRECTORY conformance/adapters DESTINATION ${documents}/conformance
  USE_SOURCE_PERMISSIONS FILES_MATCHING PATTERN "*.md" PATTERN "minimal_target.c" PATTERN "hurray_*.py" PATTERN "hurray_*.rs" PATTERN "hurray_adapter.cpp"
  PATTERN "hurray_*.js" PATTERN "*.java" PATTERN "__pycache__" EXCLUDE)

# --- find_package(hurray-conformance)

include(CMakePackageConfigHelpers)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/hurray-conformance)
configure_package_config_file(ci/hurray-conformance-config.cmake.in
  ${PROJECT_BINARY_DIR}/hurray-conformance-config.cmake INSTALL_DESTINATION ${config_folder}
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR NO_SET_AND_CHECK_MACRO)
# Below 1.0.0 a minor version may change what a user calls.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hurray-conformance-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hurray-conformance-config.cmake
  ${PROJECT_BINARY_DIR}/hurray-conformance-config-version.cmake DESTINATION ${config_folder})

# --- Packages: .deb and tar.gz

set(CPACK_PACKAGE_NAME hurray-conformance)
set(CPACK_PACKAGE_VENDOR "The hurray-conformance authors")
set(CPACK_PACKAGE_CONTACT "The hurray-conformance authors <authors@hurray-conformance.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "conformance suite for codecs and kernels of quantized tensors")
set(CPACK_PACKAGE_DESCRIPTION
"Judges any implementation, in any language, requirement by requirement, and
shows the smallest input on which it is wrong, with a guess at the cause.
Has the program hurray-conform, the kit and header that a C or C++ target
fills, example adapters in other languages, and the documents.")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# Asked of the program itself, not written down.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, qemu-system-arm, gcc")
include(CPack)
