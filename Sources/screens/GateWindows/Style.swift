import CGTK

/// The look of the screens: what libadwaita's own style does not have.
package enum Style {
    /// To be called once there is a display.
    @GLibLoop
    package static func load() {
        guard let provider = gtk_css_provider_new(), let display = gdk_display_get_default() else { return }
        let text = String(decoding: PackageResources.style_css, as: UTF8.self)
        gtk_css_provider_load_from_data(provider, text, -1)
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        g_object_unref(provider)
        // The middle button of a mouse would paste a secret that is marked elsewhere.
        if let settings = gtk_settings_get_default() { Widget(settings).set("gtk-enable-primary-paste", false) }
    }
}
