/* libyaml as a module: the events of a text in YAML. */
#pragma once
#include <yaml.h>
