import CGTK

/// A closure that is called once.
private final class IdleClosure: Sendable {
    let body: @GLibLoop () -> Void

    init(_ body: @escaping @GLibLoop () -> Void) {
        self.body = body
    }
}

extension GLibLoop {
    /// Calls the body once all that has come is dealt with, and before the screen is drawn.
    package static func onceIdle(_ body: @escaping @GLibLoop () -> Void) {
        g_idle_add_full(
            // After the loop's jobs and input, which come at the default, and before drawing.
            G_PRIORITY_HIGH_IDLE,
            { data in
                guard let data else { return 0 }
                let closure = Unmanaged<IdleClosure>.fromOpaque(data).takeRetainedValue()
                GLibLoop.assumeIsolated { closure.body() }
                return 0
            }, Unmanaged.passRetained(IdleClosure(body)).toOpaque(), nil)
    }
}
