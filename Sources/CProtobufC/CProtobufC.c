#include "CProtobufC.h"
