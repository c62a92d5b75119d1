#include "CSwiftJobs.h"

/* Swift's runtime calls, and is called, by rules of its own. This is what its header Concurrency.h has for programs with a loop of
   their own. */
#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void (*Original)(void *job);
extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(void *job, Original original);

/* The executor's identity and what it implements; without either, it is the one for jobs that have no actor. */
extern SWIFT_CALL void swift_job_run(void *job, void *identity, void *implementation);

static void (*taker)(void *job);

static SWIFT_CALL void take(void *job, Original original) {
    (void)original;
    taker(job);
}

void swift_jobs_hand_to(void (*take_job)(void *job)) {
    taker = take_job;
    swift_task_enqueueGlobal_hook = take;
}

void swift_jobs_run(void *job) { swift_job_run(job, 0, 0); }
