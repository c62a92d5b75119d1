// Shows the lock of Swift's `Mutex` to the thread sanitizer. If the lock is free, code in the program takes it, which
// the sanitizer sees. If another thread has it, these two functions of the runtime take it, in which the sanitizer sees
// nothing. The linker puts the functions below around them (`--wrap`), which report that what was done before an unlock
// precedes what is done after the next lock.
#include <stdint.h>

void __tsan_acquire(void *lock);
void __tsan_release(void *lock);

#define SWIFT __attribute__((swiftcall))
#define WEAK __attribute__((weak))
#define SELF __attribute__((swift_context)) void *lock

// Weak, since a program without a `Mutex` has neither.
SWIFT WEAK void __real_$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF(uint32_t thread, SELF);
SWIFT WEAK void __real_$s15Synchronization12_MutexHandleV11_unlockSlowyyF(SELF);

SWIFT void __wrap_$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF(uint32_t thread, SELF)
{
    __real_$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF(thread, lock);
    __tsan_acquire(lock);
}

SWIFT void __wrap_$s15Synchronization12_MutexHandleV11_unlockSlowyyF(SELF)
{
    __tsan_release(lock);
    __real_$s15Synchronization12_MutexHandleV11_unlockSlowyyF(lock);
}
