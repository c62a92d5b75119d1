/// The commands that start what each member runs: the service, and the timer that renews list and certificates in time.
enum ServiceCommands {
    static let units = "gate-household gate-household-renew.timer"

    /// - Parameter replaces: whether the service may still run for another household, and has to be restarted.
    static func starting(replaces: Bool) -> [String] {
        ["systemctl enable --now \(units)"] + (replaces ? ["systemctl restart gate-household"] : [])
    }
}
