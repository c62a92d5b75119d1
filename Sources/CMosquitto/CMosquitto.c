#include "CMosquitto.h"
