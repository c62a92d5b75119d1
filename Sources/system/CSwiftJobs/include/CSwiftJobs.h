/* The jobs of Swift's tasks that have no actor: who runs them. By itself Swift takes threads of libdispatch's, which look at each
   other once a second for as long as the program lives. */
#pragma once

/* Has each such job handed to this function, from any thread, before Swift has run the first one. What takes a job calls
   `swift_jobs_run` with it, once. */
void swift_jobs_hand_to(void (*take)(void *job));

/* Runs a job up to where it waits. */
void swift_jobs_run(void *job);
