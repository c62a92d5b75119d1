// Describes the machine to which the figures belong.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report.h"

const char *machine_text(char *text) {
    char line[256], model[TEXT_BYTES] = "a processor without a name";
    FILE *processors = fopen("/proc/cpuinfo", "re");
    while (processors && fgets(line, sizeof line, processors)) {
        if (sscanf(line, "model name : %63[^\n]", model) == 1) break;
    }
    if (processors) fclose(processors);
    snprintf(text, MACHINE_BYTES, "%s, %ld processors", model, sysconf(_SC_NPROCESSORS_ONLN));
    return text;
}
