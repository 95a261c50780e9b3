// SPDX-License-Identifier: Apache-2.0
//
// What do the parts of the image know of each other: the places that the linker script names
// (sections.ld), and the functions between them.

#ifndef HURRAY_FIRMWARE_IMAGE_H
#define HURRAY_FIRMWARE_IMAGE_H

#include <stdint.h>

// Ends are exclusive. Each region starts and ends at a page of 4 KiB, and between any two of them
// lies at least one page that belongs to none.
extern uint8_t hurray_code_start[], hurray_code_end[];
extern uint8_t hurray_ram_start[], hurray_ram_end[];
extern uint8_t hurray_guarded_input_start[], hurray_guarded_input_end[];
extern uint8_t hurray_guarded_output_start[], hurray_guarded_output_end[];

// In ram, downwards.
extern uint8_t hurray_stack_limit[], hurray_stack_top[];
extern uint8_t hurray_fault_stack_top[];

// Words of the initial values of .data, where .data begins and ends, and .bss.
extern const uint32_t hurray_data_load[];
extern uint32_t hurray_data_start[], hurray_data_end[];
extern uint32_t hurray_bss_start[], hurray_bss_end[];

// Constructors, where a C++ source has some.
extern void (*const hurray_constructors_start[])(void);
extern void (*const hurray_constructors_end[])(void);

// Makes everything outside the regions above inaccessible. Returns 0, or -1 if this machine cannot.
int hurray_protect_memory(void);

// Entry of every fault.
void hurray_fault(void);

int main(void);

// A system register. The addresses are those of the Armv8-M Architecture Reference Manual.
#define HURRAY_REGISTER(ADDRESS) (*(volatile uint32_t*)(uintptr_t)(ADDRESS))

// What was done to system registers holds for everything that follows.
static inline void hurray_synchronize(void) { __asm__ volatile("dsb\n\tisb" ::: "memory"); }

#endif  // HURRAY_FIRMWARE_IMAGE_H
