// Follows the mode in a GMainLoop, as a program with GTK does: libgate with gate-glib.h.
// usage: glib [SECONDS]
#include <gate-glib.h>
#include <stdlib.h>

static void changed(gate *gate, const gate_update *update, void *userdata) {
    static const char *const names[] = {"child", "verifying", "parent"};
    (void)userdata;
    g_print("%s%s\n", names[gate_get_mode(gate)], update->event == GATE_EVENT_LOST ? " (no daemon)" : "");
}

static gboolean is_over(gpointer loop) {
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

int main(int count, char **words) {
    gate *gate;
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    if (gate_new(&gate) < 0) return 1;
    gate_set_program(gate, "glib example");
    if (g_getenv("SERVER_UID")) gate_set_server_uid(gate, (uid_t)atoi(g_getenv("SERVER_UID"))); // for a private gated
    gate_watch(gate, GATE_TOPIC_MODE, changed, NULL);
    guint source = gate_source_attach(gate, NULL);
    if (count > 1) g_timeout_add_seconds((guint)atoi(words[1]), is_over, loop);
    g_main_loop_run(loop);
    g_source_remove(source);
    gate_free(gate);
    g_main_loop_unref(loop);
    return 0;
}
