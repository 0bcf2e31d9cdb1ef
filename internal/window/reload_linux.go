//go:build linux && desktop

package window

/*
#cgo !webkit2_41 pkg-config: webkit2gtk-4.0
#cgo webkit2_41 pkg-config: webkit2gtk-4.1

#include <webkit2/webkit2.h>

// A page that ends again within this many seconds is loaded again after as many: a page that always ends must not
// keep the computer busy.
#define PAUSE 10

static gboolean load(gpointer view) {
	webkit_web_view_reload(WEBKIT_WEB_VIEW(view));
	return G_SOURCE_REMOVE;
}

static void ended(WebKitWebView *view, WebKitWebProcessTerminationReason reason, gpointer unused) {
	static gint64 last;
	gint64 now = g_get_monotonic_time() / G_USEC_PER_SEC;
	guint wait = last > 0 && now - last < PAUSE ? PAUSE : 0;
	last = now + wait;
	g_printerr("deskhand: the process of the page ended (reason %d), the page is loaded again in %u s\n", reason, wait);
	g_timeout_add_seconds_full(G_PRIORITY_DEFAULT, wait, load, g_object_ref(view), g_object_unref);
}

static void watch(GtkWidget *widget, gpointer unused) {
	if (WEBKIT_IS_WEB_VIEW(widget)) g_signal_connect(widget, "web-process-terminated", G_CALLBACK(ended), NULL);
	else if (GTK_IS_CONTAINER(widget)) gtk_container_foreach(GTK_CONTAINER(widget), watch, NULL);
}

static gboolean watchWindows(gpointer unused) {
	GList *windows = gtk_window_list_toplevels();
	for (GList *window = windows; window; window = window->next) watch(window->data, NULL);
	g_list_free(windows);
	return G_SOURCE_REMOVE;
}

static void watchSoon(void) { g_idle_add(watchWindows, NULL); }
*/
import "C"

// reloadEndedPage loads the page again when its process was killed or crashed. Otherwise the window would stay blank.
// Wails neither reports this nor reloads without the page's help, so this calls WebKit directly, on the window's
// thread.
func reloadEndedPage() { C.watchSoon() }
