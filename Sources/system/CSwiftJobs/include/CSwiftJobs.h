/* Lets a program run the jobs of Swift tasks that belong to no actor. Swift itself uses threads of libdispatch, which wake up once a
   second for as long as the program runs. */
#pragma once

/* Makes Swift pass each such job to `take`, on any thread. Call this before Swift has run the first one. For each job,
   `swift_jobs_run` must be called once. */
void swift_jobs_hand_to(void (*take)(void *job));

/* Runs a job until its task waits or ends. */
void swift_jobs_run(void *job);
