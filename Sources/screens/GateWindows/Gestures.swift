import CGTK

package enum StrokeDirection: Hashable, Sendable {
    case up
    case down
    case left
    case right

    /// `nil` if the stroke is shorter than `length`, in pixels or, for a swipe, in pixels per second.
    init?(_ x: Double, _ y: Double, atLeast length: Double) {
        guard max(abs(x), abs(y)) >= length else { return nil }
        self = abs(x) > abs(y) ? (x > 0 ? .right : .left) : (y > 0 ? .down : .up)
    }
}

extension Widget {
    /// Calls the bodies when a pointer or a finger presses this, and when that ends, wherever it ends.
    package func onPress(began: @escaping @GLibLoop () -> Void, ended: @escaping @GLibLoop () -> Void) {
        guard let gesture = gtk_gesture_click_new() else { return }
        gtk_event_controller_set_propagation_phase(gesture, GTK_PHASE_CAPTURE)
        let click = Widget(gesture)
        click.on("pressed") {
            // Otherwise a button would take it for a click.
            gtk_gesture_set_state(gesture, GTK_EVENT_SEQUENCE_CLAIMED)
            began()
        }
        for signal in ["released", "cancel", "unpaired-release"] { click.on(signal, ended) }
        gtk_widget_add_controller(widget, gesture)
    }

    /// Calls the body when a pointer or a finger presses anything in this. What is pressed gets the press all the same.
    package func onAnyPress(_ body: @escaping @GLibLoop () -> Void) {
        guard let gesture = gtk_gesture_click_new() else { return }
        gtk_event_controller_set_propagation_phase(gesture, GTK_PHASE_CAPTURE)
        Widget(gesture).on("pressed", body)
        gtk_widget_add_controller(widget, gesture)
    }

    /// Calls the body after a press and release in the empty area around a widget inside of this one.
    package func onPress(around inner: Widget, _ body: @escaping @GLibLoop () -> Void) {
        guard let gesture = gtk_gesture_click_new() else { return }
        let (outer, inner) = (widget, inner.widget)
        let isOnEmptyArea: @GLibLoop () -> Bool = {
            var (x, y) = (0.0, 0.0)
            let sequence = gtk_gesture_single_get_current_sequence(gesture)
            guard gtk_gesture_get_point(gesture, sequence, &x, &y) != 0,
                let pressed = gtk_widget_pick(outer, x, y, GTK_PICK_INSENSITIVE)
            else { return false }
            // Only widgets that contain `inner` are around it. A scroll bar, for example, is beside it.
            return gtk_widget_is_ancestor(inner, pressed) != 0
        }
        var began = false
        let click = Widget(gesture)
        click.on("pressed") { began = isOnEmptyArea() }
        click.on("released") {
            if began, isOnEmptyArea() { body() }
        }
        gtk_widget_add_controller(outer, gesture)
    }

    /// Calls the bodies when a key is pressed and released. While the key is held, `down` is called again and again.
    package func onKey(_ key: CInt, down: @escaping @GLibLoop () -> Void, up: @escaping @GLibLoop () -> Void) {
        onKey {
            guard $0 == UInt32(key) else { return false }
            down()
            return true
        }
        onKeyUp {
            guard $0 == UInt32(key) else { return }
            up()
        }
    }

    /// Calls the body when fingers have swiped over this, with the direction and the number of fingers, at most five.
    package func onSwipe(_ body: @escaping @GLibLoop (StrokeDirection, Int) -> Void) {
        for fingers in 1...5 {
            var (name, value): (UnsafePointer<CChar>?, GValue) = (nil, GValue())
            g_value_init(&value, GType(7 << 2))
            g_value_set_uint(&value, guint(fingers))
            let gesture = "n-points".withCString { text -> OpaquePointer? in
                name = text
                return OpaquePointer(g_object_new_with_properties(gtk_gesture_swipe_get_type(), 1, &name, &value))
            }
            g_value_unset(&value)
            guard let gesture else { continue }
            gtk_gesture_single_set_touch_only(gesture, 1)
            Widget(gesture).on("swipe") {
                var (x, y) = (0.0, 0.0)
                guard gtk_gesture_swipe_get_velocity(gesture, &x, &y) != 0,
                    let direction = StrokeDirection(x, y, atLeast: 100)
                else { return }
                body(direction, fingers)
            }
            gtk_widget_add_controller(widget, gesture)
        }
    }

    /// Calls the body when a pointer other than a touch screen was dragged over this.
    package func onMouseStroke(_ body: @escaping @GLibLoop (StrokeDirection) -> Void) {
        guard let gesture = gtk_gesture_drag_new() else { return }
        Widget(gesture).on("drag-end") {
            var (x, y) = (0.0, 0.0)
            let device = gtk_event_controller_get_current_event_device(gesture)
            guard device.map({ gdk_device_get_source($0) != GDK_SOURCE_TOUCHSCREEN }) ?? true,
                gtk_gesture_drag_get_offset(gesture, &x, &y) != 0, let direction = StrokeDirection(x, y, atLeast: 24)
            else { return }
            body(direction)
        }
        gtk_widget_add_controller(widget, gesture)
    }
}
