#include "gate_status.h"
