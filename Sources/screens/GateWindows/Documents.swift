import CGTK

/// A file chooser in front of a window. It is shown until the person answers it or the window is destroyed.
@GLibLoop
private final class FileChooser {
    /// `nil` after it was closed.
    private var chooser: OpaquePointer?
    private let window: OpaquePointer?
    private var windowGone: gulong = 0
    private let chosen: @GLibLoop (_ path: String?) -> Void

    init(_ chooser: OpaquePointer, over window: OpaquePointer?, _ chosen: @escaping @GLibLoop (String?) -> Void) {
        self.chooser = chooser
        self.window = window
        self.chosen = chosen
    }

    /// Shows it. From then on the chooser and the window own this object.
    func show() {
        guard let chooser else { return }
        let response: @convention(c) (gpointer?, CInt) -> Void = { data, response in
            FileChooser.call(data) { $0.responded(isAccepted: response == GTK_RESPONSE_ACCEPT.rawValue) }
        }
        connectSwapped("response", to: chooser, unsafeBitCast(response, to: GCallback.self), self)
        let destroyed: @convention(c) (gpointer?) -> Void = { data in
            FileChooser.call(data) { $0.windowWent() }
        }
        if let window {
            windowGone = connectSwapped("destroy", to: window, unsafeBitCast(destroyed, to: GCallback.self), self)
        }
        gtk_native_dialog_show(UnsafeMutablePointer(chooser))
    }

    private func responded(isAccepted: Bool) {
        guard let chooser else { return }
        self.chooser = nil
        let path = isAccepted ? Self.chosenPath(chooser) : nil
        if let window { g_signal_handler_disconnect(UnsafeMutableRawPointer(window), windowGone) }
        chosen(path)
        g_object_unref(UnsafeMutableRawPointer(chooser))
    }

    private func windowWent() {
        guard let chooser else { return }
        self.chooser = nil
        gtk_native_dialog_destroy(UnsafeMutablePointer(chooser))
        g_object_unref(UnsafeMutableRawPointer(chooser))
    }

    private static func chosenPath(_ chooser: OpaquePointer) -> String? {
        guard let file = gtk_file_chooser_get_file(chooser) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(file)) }
        guard let path = g_file_get_path(file) else { return nil }
        defer { g_free(path) }
        return String(cString: path)
    }

    private nonisolated static func call(_ data: gpointer?, _ body: @GLibLoop (FileChooser) -> Void) {
        guard let data else { return }
        let chooser = Unmanaged<FileChooser>.fromOpaque(data).takeUnretainedValue()
        GLibLoop.assumeIsolated { body(chooser) }
    }
}

extension Widget {
    /// Shows a file chooser in front of this widget's window. If that is destroyed, the chooser is closed and `chosen`
    /// is not called. `mediaTypes` is empty for all types; `chosen` gets `nil` if no file was chosen.
    package func chooseFile(
        _ title: String, mediaTypes: [String], _ chosen: @escaping @GLibLoop (_ path: String?) -> Void
    ) {
        let window = gtk_widget_get_root(widget).map { UnsafeMutablePointer<GtkWindow>($0) }
        guard let chooser = gtk_file_chooser_native_new(title, window, GTK_FILE_CHOOSER_ACTION_OPEN, nil, nil) else {
            return chosen(nil)
        }
        gtk_native_dialog_set_modal(UnsafeMutablePointer(chooser), 1)
        if !mediaTypes.isEmpty, let filter = gtk_file_filter_new() {
            for type in mediaTypes { gtk_file_filter_add_mime_type(filter, type) }
            gtk_file_chooser_set_filter(chooser, filter)
            g_object_unref(UnsafeMutableRawPointer(filter))
        }
        FileChooser(chooser, over: window.map { OpaquePointer($0) }, chosen).show()
    }

    /// Makes a small picture of a document; `nil` if it is neither PNG nor JPEG, or has too many pixels to be decoded.
    package static func picture(of bytes: [UInt8]) -> Widget? {
        guard let loader = DocumentLoader(bytes) else { return nil }
        defer { loader.end() }
        guard let pixels = loader.pixels, let texture = gdk_texture_new_for_pixbuf(pixels) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        guard let made = gtk_picture_new_for_paintable(texture) else { return nil }
        let picture = Widget(made)
        gtk_picture_set_can_shrink(picture.pointer, 0)
        gtk_widget_set_halign(made, GTK_ALIGN_START)
        return picture
    }
}

/// Decodes an attached picture, in two formats and up to a number of pixels, because the file may be hostile.
@GLibLoop
private final class DocumentLoader {
    /// 4,000 by 4,000 pixels, which take 64 MB while they are decoded.
    private nonisolated static let maximumDots = 16_000_000
    /// The longer side of the result, in pixels. Smaller pictures keep their size.
    private nonisolated static let side = 160.0

    private let loader: UnsafeMutablePointer<GdkPixbufLoader>
    private(set) var pixels: OpaquePointer?

    init?(_ bytes: [UInt8]) {
        let kind: String
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            kind = "png"
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            kind = "jpeg"
        } else {
            return nil
        }
        guard let made = gdk_pixbuf_loader_new_with_type(kind, nil) else { return nil }
        loader = made
        let prepared: @convention(c) (gpointer?, CInt, CInt, gpointer?) -> Void = { loader, width, height, _ in
            guard let loader else { return }
            let fits = width > 0 && height > 0 && Int(width) * Int(height) <= DocumentLoader.maximumDots
            let longer = Double(max(width, height, 1))
            let scale = min(1, DocumentLoader.side / longer)
            // With zero the loader refuses the picture.
            gdk_pixbuf_loader_set_size(
                loader.assumingMemoryBound(to: GdkPixbufLoader.self),
                fits ? max(1, CInt(Double(width) * scale)) : 0, fits ? max(1, CInt(Double(height) * scale)) : 0)
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(loader), "size-prepared", unsafeBitCast(prepared, to: GCallback.self), nil, nil,
            GConnectFlags(rawValue: 0))
        let isWritten = bytes.withUnsafeBufferPointer {
            gdk_pixbuf_loader_write(loader, $0.baseAddress, gsize($0.count), nil)
        }
        let isClosed = gdk_pixbuf_loader_close(loader, nil)
        if isWritten != 0, isClosed != 0 { pixels = gdk_pixbuf_loader_get_pixbuf(loader) }
    }

    func end() { g_object_unref(UnsafeMutableRawPointer(loader)) }
}
