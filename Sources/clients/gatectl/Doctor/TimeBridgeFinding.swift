extension InstallationFacts {
    /// Checks whether the time that grown-ups allow reaches timekpr. It is no failure if the service was never turned
    /// on.
    var timeBridgeFinding: Finding? {
        guard isDefaultSocket, let timeBridge else { return nil }
        let unit = TimeBridge.unit
        if timeBridge.isActive, timeBridge.troubles.isEmpty {
            return Finding(subject: unit, found: "active", verdict: .ok)
        }
        if timeBridge.isActive {
            return Finding(
                subject: unit, found: timeBridge.troubles.map { VisibleText.line($0) }.joined(separator: "; "),
                verdict: .failed(
                    mend:
                        "Look at `systemctl status timekpr`, and at \(asRoot("journalctl -u \(unit)")). `timekpra` adds time by hand."
                ))
        }
        guard timeBridge.isEnabled else {
            return Finding(
                subject: unit,
                found: "not turned on, so time that a grown-up allows is not added: `sudo gatectl setup`",
                verdict: .unknown)
        }
        return Finding(
            subject: unit, found: "not active, so time that a grown-up allows is not added",
            verdict: .failed(
                mend:
                    "Start it with \(asRoot("systemctl restart \(unit)")). If it does not start, `systemctl status \(unit)` says why."
            ))
    }
}
