import CGTK

private final class IdleClosure: Sendable {
    let body: @GLibLoop () -> Void

    init(_ body: @escaping @GLibLoop () -> Void) {
        self.body = body
    }
}

extension GLibLoop {
    /// Calls the body when all events and jobs are done, and before the screen is drawn.
    package static func onceIdle(_ body: @escaping @GLibLoop () -> Void) {
        g_idle_add_full(
            // Jobs and input have the default priority, which comes before this one. Drawing comes after it.
            G_PRIORITY_HIGH_IDLE,
            { data in
                guard let data else { return 0 }
                let closure = Unmanaged<IdleClosure>.fromOpaque(data).takeRetainedValue()
                GLibLoop.assumeIsolated { closure.body() }
                return 0
            }, Unmanaged.passRetained(IdleClosure(body)).toOpaque(), nil)
    }
}
