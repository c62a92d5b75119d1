/* In a debug build, ArgumentParser checks the declarations of a command each time it parses one. That takes half of gatectl's start. So
   Package.swift makes the linker replace that check with this function. GatectlTests check the declarations of each verb once. */
__attribute__((swiftcall)) void gatectl_skip_argument_check(void)
    __asm__("__wrap_$s14ArgumentParser17ParsableArgumentsPAAE9_validate6parentyAA8InputKeyVSg_tKFZ");

void gatectl_skip_argument_check(void) {}
