//go:build linux && desktop

package window

/*
#cgo !webkit2_41 pkg-config: webkit2gtk-4.0
#cgo webkit2_41 pkg-config: webkit2gtk-4.1

#include <gtk/gtk.h>

// Whether the window has the keyboard.
static gint front;

static void changed(GtkWindow *window, GParamSpec *property, gpointer unused) {
	g_atomic_int_set(&front, gtk_window_is_active(window));
}

static gboolean watch(gpointer unused) {
	GList *windows = gtk_window_list_toplevels();
	for (GList *window = windows; window; window = window->next) {
		if (gtk_window_get_window_type(window->data) != GTK_WINDOW_TOPLEVEL) continue;
		g_signal_connect(window->data, "notify::is-active", G_CALLBACK(changed), NULL);
		changed(window->data, NULL, NULL);
	}
	g_list_free(windows);
	return G_SOURCE_REMOVE;
}

static void watchFront(void) { g_idle_add(watch, NULL); }

static gboolean isFront(void) { return g_atomic_int_get(&front); }

static gboolean urge(gpointer urgent) {
	GList *windows = gtk_window_list_toplevels();
	for (GList *window = windows; window; window = window->next)
		gtk_window_set_urgency_hint(window->data, urgent != NULL);
	g_list_free(windows);
	return G_SOURCE_REMOVE;
}

static void urgeSoon(gboolean urgent) { g_idle_add(urge, GINT_TO_POINTER(urgent)); }
*/
import "C"

import "context"

// watchFront follows whether the window has the keyboard; Wails does not report it.
func watchFront() { C.watchFront() }

func isBehind(context.Context) bool { return C.isFront() == 0 }

// urge marks the window where the desktop lists its windows, or no longer.
func urge(urgent bool) {
	var hint C.gboolean
	if urgent {
		hint = 1
	}
	C.urgeSoon(hint)
}
