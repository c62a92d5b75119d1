/* GTK 4 with libadwaita as a module. */
#pragma once
#include <adwaita.h>
#include <glib-unix.h>
