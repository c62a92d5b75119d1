import GateModel

/// Reads `allowances`: how much time there is on each day, and in each week.
extension PolicyDraft {
    mutating func readAllowances(_ node: PolicyNode) {
        guard let entries = entries(of: "allowances", node) else { return }
        for entry in entries {
            // An allowance with a mistake counts as well: otherwise each use of its name would be reported, too.
            namedAllowances.insert(entry.key)
            let isOverruled = isOverruled("allowances.\(entry.key)") || hasBrokenChoice(.allowance, entry.key)
            guard isDottedName(entry, of: "an allowance", like: "games"),
                isFirst("allowances.\(entry.key)", called: entry.key, at: entry.keyPlace), !isOverruled,
                let allowance = allowance(entry.key, entry.value)
            else { continue }
            guard hasRoom(for: "allowances", after: allowances.count, of: PolicyLimits.allowances, at: entry.keyPlace)
            else { return }
            allowances[entry.key] = allowance
        }
    }

    private static let exampleOfAllowance = "Write for example {mon-fri: 1h, sat-sun: 2h}."

    mutating func allowance(_ name: String, _ node: PolicyNode) -> Allowance? {
        guard case .mapping(let entries) = node.content, !entries.isEmpty else {
            problems.add(
                "An allowance says for weekdays how much time there is. \(Self.exampleOfAllowance)", kind: .structure,
                at: node.place)
            return nil
        }
        let problemCount = problems.found.count
        var allowance = Allowance(name)
        var days: [Int?] = Array(repeating: nil, count: 7)
        for entry in entries {
            switch entry.key {
            case "week":
                allowance.secondsOfWeek = entry.value.seconds(of: "week", in: PolicyLimits.timeOfWeek, &problems)
            case "day-starts":
                if let minutes = entry.value.timeOfDay(&problems) { allowance.dayStart = minutes }
            case _:
                let seconds = entry.value.seconds(of: entry.key, in: PolicyLimits.timeOfDay, &problems)
                guard
                    let weekdays = weekdays(
                        entry, advice: "Besides there are 'week' and 'day-starts'. \(Self.exampleOfAllowance)"),
                    let seconds
                else { continue }
                for day in weekdays {
                    if days[day] == nil {
                        days[day] = seconds
                    } else {
                        problems.add(
                            "'\(Schedule.weekdays[day])' is there already. Keep one of them.", kind: .duplicate,
                            at: entry.keyPlace)
                    }
                }
            }
        }
        guard problems.found.count == problemCount else { return nil }
        if days.contains(where: { $0 != nil }) { allowance.secondsOfDays = days.map { $0 ?? 0 } }
        guard allowance.secondsOfDays != nil || allowance.secondsOfWeek != nil else {
            problems.add(
                "This says when a day begins, but not how much time it has. \(Self.exampleOfAllowance)",
                kind: .required, at: node.place)
            return nil
        }
        return allowance
    }

    // MARK: - Uses

    /// Puts the allowances into the requirements that name them.
    mutating func resolveAllowances(isWhole: Bool) {
        mapConditions { [allowances] condition in
            guard case .allowance(let named) = condition else { return condition }
            return .allowance(allowances[named.name] ?? named)
        }
        // An allowance that is missing because its file was left out stays without limits in the requirement. Then it
        // has no time, so the gate stays closed.
        namesOfLeftOutFiles(
            usesOfAllowances, of: "allowance", among: namedAllowances, isWhole: isWhole,
            ifNone: "is not an allowance: no file here has any.", advice: "Write it under 'allowances' in policy.yaml.")
    }
}

extension PolicyNode {
    fileprivate func seconds(
        of key: String, in range: ClosedRange<Duration>, _ problems: inout PolicyProblems
    ) -> Int? {
        duration(of: key.shortened, in: range, &problems).map { Int($0.components.seconds) }
    }

    /// Minutes after midnight, from 0:00 to 23:59.
    fileprivate func timeOfDay(_ problems: inout PolicyProblems) -> Int? {
        guard let minutes = Self.minutes(text ?? ""), minutes < Schedule.minutesOfDay else {
            problems.add("'day-starts' is a time like 4:00, not \(found).", kind: .value, at: place)
            return nil
        }
        return minutes
    }
}
