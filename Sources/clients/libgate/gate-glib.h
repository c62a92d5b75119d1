/* gate-glib.h: runs a handle of libgate in a GMainLoop. Programs that use GLib include it beside gate.h; there is nothing to link.
 *
 *     guint id = gate_source_attach(gate, NULL);   // from now on the loop of this thread's context calls the handlers
 *     ...
 *     g_source_remove(id);                         // before gate_free(gate)
 *
 * The source does not own the handle. Attach it in the handle's thread, to the context that this thread runs. Handlers must not free the
 * handle: outside of them, first remove the source, then free the handle. */
#ifndef GATE_GLIB_H
#define GATE_GLIB_H

#include <gate.h>
#include <glib.h>

typedef struct gate_source {
    GSource source;
    gate *handle;
    gpointer tag;
} gate_source;

static inline gboolean gate_source_prepare(GSource *source, gint *timeout) {
    gate_source *self = (gate_source *)source;
    uint64_t until;
    *timeout = -1;
    if (gate_get_timeout(self->handle, &until) < 0) return FALSE;
    g_source_set_ready_time(source, until > (uint64_t)G_MAXINT64 ? -1 : (gint64)until); /* GLib's clock is CLOCK_MONOTONIC, too */
    return until == 0;
}

static inline gboolean gate_source_check(GSource *source) {
    gate_source *self = (gate_source *)source;
    gint64 ready = g_source_get_ready_time(source);
    return (g_source_query_unix_fd(source, self->tag) & G_IO_IN) || (ready >= 0 && ready <= g_source_get_time(source));
}

static inline gboolean gate_source_dispatch(GSource *source, GSourceFunc callback, gpointer userdata) {
    gate_source *self = (gate_source *)source;
    (void)callback;
    (void)userdata;
    /* Only once, so that other sources of the loop have their turn in between. */
    return gate_process(self->handle) < 0 ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

static GSourceFuncs gate_source_functions = {gate_source_prepare, gate_source_check, gate_source_dispatch, NULL, NULL, NULL};

/* Makes a source for the handle. The caller attaches and unreferences it. */
static inline GSource *gate_source_new(gate *handle) {
    GSource *source = g_source_new(&gate_source_functions, sizeof(gate_source));
    gate_source *self = (gate_source *)source;
    self->handle = handle;
    self->tag = g_source_add_unix_fd(source, gate_get_fd(handle), G_IO_IN);
    g_source_set_name(source, "gate");
    return source;
}

/* Attaches a source for the handle to a context (NULL: the default one). Returns the source's id. */
static inline guint gate_source_attach(gate *handle, GMainContext *context) {
    GSource *source = gate_source_new(handle);
    guint id = g_source_attach(source, context);
    g_source_unref(source);
    return id;
}

#endif
