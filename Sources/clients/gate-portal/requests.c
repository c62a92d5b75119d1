#include "portal.h"
