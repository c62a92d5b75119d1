#include "CSwiftJobs.h"

/* The Swift runtime has its own calling convention. These declarations are from its header Concurrency.h, for programs with their own
   event loop. */
#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void (*Original)(void *job);
extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(void *job, Original original);

/* `identity` and `implementation` describe the executor. If both are null, it is the one for jobs without an actor. */
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
