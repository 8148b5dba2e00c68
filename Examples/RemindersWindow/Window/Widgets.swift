import CGtk

// GTK's C functions with a Swift closure as a handler, and short names for the few widgets that the window has.

/// An instance of any class of GTK's: the C functions take it by many names.
typealias Widget = UnsafeMutablePointer<GtkWidget>

extension UnsafeMutablePointer {
    /// The same instance by the name of a class that it is of.
    func of<Class>(_: Class.Type) -> UnsafeMutablePointer<Class> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: Class.self)
    }

    /// The same instance as one of a class whose fields are GTK's own.
    var instance: OpaquePointer { OpaquePointer(self) }

    /// Calls `handler` for each signal of that name. It lives as long as the instance.
    @MainActor
    func on(_ signal: String, _ handler: @escaping @MainActor () -> Void) {
        let call: @convention(c) (gpointer, gpointer) -> Void = { _, handler in
            // GTK calls on the main thread, which the compiler can't know.
            let handler = Unmanaged<Handler>.fromOpaque(handler).takeUnretainedValue()
            MainActor.assumeIsolated { handler.body() }
        }
        g_signal_connect_data(
            self,
            signal,
            unsafeBitCast(call, to: GCallback.self),
            Unmanaged.passRetained(Handler(handler)).toOpaque(),
            { handler, _ in Unmanaged<Handler>.fromOpaque(handler!).release() },
            GConnectFlags(rawValue: 0)
        )
    }
}

private final class Handler: Sendable {
    let body: @MainActor () -> Void

    init(_ body: @escaping @MainActor () -> Void) { self.body = body }
}

@MainActor
func makeButton(_ title: String, _ clicked: @escaping @MainActor () -> Void) -> Widget {
    let button = gtk_button_new_with_label(title)!
    button.on("clicked", clicked)
    return button
}

@MainActor
func makeLabel(_ text: String) -> Widget {
    let label = gtk_label_new(text)!
    gtk_widget_set_hexpand(label, 1)
    gtk_label_set_xalign(label.instance, 0)
    gtk_label_set_wrap(label.instance, 1)
    return label
}

@MainActor
func makeBox(_ orientation: GtkOrientation, _ children: [Widget]) -> Widget {
    let box = gtk_box_new(orientation, 8)!
    for child in children { gtk_box_append(box.of(GtkBox.self), child) }
    return box
}

/// A list in place of what it had before.
@MainActor
func fill(_ list: Widget, _ rows: [Widget]) {
    while let row = gtk_widget_get_first_child(list) { gtk_list_box_remove(list.instance, row) }
    for row in rows { gtk_list_box_append(list.instance, row) }
}

@MainActor
func closeOnControlW(_ application: UnsafeMutablePointer<GtkApplication>) {
    "<Control>w".withCString { key in
        var keys: [UnsafePointer<CChar>?] = [key, nil]
        gtk_application_set_accels_for_action(application, "window.close", &keys)
    }
}
