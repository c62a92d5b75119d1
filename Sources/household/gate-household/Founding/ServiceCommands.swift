/// The commands that start what each device of a household runs: the service, and the timer that renews list and certificates before they end.
enum ServiceCommands {
    static let units = "gate-household gate-household-renew.timer"

    /// - Parameter replaces: the service may run for another household, which it goes on to speak for until it is started anew.
    static func starting(replaces: Bool) -> [String] {
        ["systemctl enable --now \(units)"] + (replaces ? ["systemctl restart gate-household"] : [])
    }
}
