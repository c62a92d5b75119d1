// The policy, the forms and the release notes of a run.
#pragma once

void write_configuration(const char *directory);
