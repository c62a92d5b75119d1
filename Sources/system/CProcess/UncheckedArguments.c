/* In a debug build ArgumentParser checks the declarations of a command each time it parses one, which takes half of gatectl's start.
   Package.swift has the linker put this in place of that check. GatectlTests check the declarations of each verb, once. */
__attribute__((swiftcall)) void gatectl_skip_argument_check(void)
    __asm__("__wrap_$s14ArgumentParser17ParsableArgumentsPAAE9_validate6parentyAA8InputKeyVSg_tKFZ");

void gatectl_skip_argument_check(void) {}
