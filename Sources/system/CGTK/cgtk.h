/* GTK 4 with libadwaita as a module. */
#pragma once
#include <adwaita.h>
#include <glib-unix.h>
#ifdef GDK_WINDOWING_X11
#include <X11/extensions/Xrandr.h>
#include <gdk/x11/gdkx.h>
#endif

#ifdef GDK_WINDOWING_X11
/* Asks the window manager of an X11 display to do something with a surface. It is asked in the name of a pager, because requests of pagers
   count as the user's own. If the program asked in its own name, the window manager might do nothing but point the user to it. */
static inline void gate_ask_window_manager(GdkSurface *surface, const char *what, long first, long second, long third, long fourth, long fifth) {
    Display *display = gdk_x11_display_get_xdisplay(gdk_surface_get_display(surface));
    XEvent event = {.xclient = {.type = ClientMessage, .window = gdk_x11_surface_get_xid(surface), .format = 32}};
    event.xclient.message_type = XInternAtom(display, what, False);
    const long words[] = {first, second, third, fourth, fifth};
    for (int i = 0; i < 5; i++) event.xclient.data.l[i] = words[i];
    XSendEvent(display, DefaultRootWindow(display), False, SubstructureRedirectMask | SubstructureNotifyMask, &event);
}
#endif

/* Whether this is an X11 display; otherwise it is Wayland's. */
static inline gboolean gate_is_x11(GdkDisplay *display) {
#ifdef GDK_WINDOWING_X11
    return GDK_IS_X11_DISPLAY(display);
#else
    (void)display;
    return FALSE;
#endif
}

/* Asks the window manager of an X11 display to keep this surface above others and to raise it now, and also to give it the keyboard, if
   `takes_keyboard` is set. Does nothing on Wayland, where no program can ask for that. */
static inline void gate_bring_to_front(GdkSurface *surface, gboolean takes_keyboard) {
#ifdef GDK_WINDOWING_X11
    if (!GDK_IS_X11_SURFACE(surface)) return;
    Display *display = gdk_x11_display_get_xdisplay(gdk_surface_get_display(surface));
    enum { FROM_A_PAGER = 2, ADD = 1 };
    gate_ask_window_manager(surface, "_NET_WM_STATE", ADD, (long)XInternAtom(display, "_NET_WM_STATE_ABOVE", False), 0, FROM_A_PAGER, 0);
    if (takes_keyboard) gate_ask_window_manager(surface, "_NET_ACTIVE_WINDOW", FROM_A_PAGER, CurrentTime, 0, 0, 0);
    else XRaiseWindow(display, gdk_x11_surface_get_xid(surface));
    XFlush(display);
#else
    (void)surface, (void)takes_keyboard;
#endif
}

/* Asks the window manager of an X11 display to put this surface at `place`. Does nothing on Wayland. */
static inline void gate_place(GdkSurface *surface, GdkRectangle place) {
#ifdef GDK_WINDOWING_X11
    enum { STATIC_GRAVITY = 10, ALL_FOUR = 0xf << 8, FROM_A_PAGER = 2 << 12 };
    if (!GDK_IS_X11_SURFACE(surface)) return;
    gate_ask_window_manager(surface, "_NET_MOVERESIZE_WINDOW", STATIC_GRAVITY | ALL_FOUR | FROM_A_PAGER, place.x, place.y, place.width, place.height);
#else
    (void)surface, (void)place;
#endif
}

/* Writes the monitors of an X11 display to `places`, at most `count`, including those that GTK omits because they have no output.
   Returns how many were written; 0 on Wayland. */
static inline int gate_monitors(GdkDisplay *display, GdkRectangle *places, int count) {
    int found = 0;
#ifdef GDK_WINDOWING_X11
    if (!GDK_IS_X11_DISPLAY(display)) return 0;
    Display *x = gdk_x11_display_get_xdisplay(display);
    XRRMonitorInfo *monitors = XRRGetMonitors(x, DefaultRootWindow(x), True, &found);
    if (!monitors) return 0;
    if (found > count) found = count;
    for (int i = 0; i < found; i++)
        places[i] = (GdkRectangle){monitors[i].x, monitors[i].y, monitors[i].width, monitors[i].height};
    XRRFreeMonitors(monitors);
#else
    (void)display, (void)places, (void)count;
#endif
    return found;
}
