/* libyaml as a module: reads YAML as a sequence of events. */
#pragma once
#include <yaml.h>
