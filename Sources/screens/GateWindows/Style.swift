import CGTK

/// The style of the screens, in addition to that of libadwaita.
package enum Style {
    /// Has to be called when there is a display.
    @GLibLoop
    package static func load() {
        guard let provider = gtk_css_provider_new(), let display = gdk_display_get_default() else { return }
        let text = String(decoding: PackageResources.style_css, as: UTF8.self)
        gtk_css_provider_load_from_data(provider, text, -1)
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        g_object_unref(provider)
        // Otherwise the middle button of a mouse would paste a secret that is selected elsewhere.
        if let settings = gtk_settings_get_default() { Widget(settings).set("gtk-enable-primary-paste", false) }
    }
}
