import GateModel

/// Reads `schedules`: the hours of the week at which something is open.
extension PolicyDraft {
    mutating func readSchedules(_ node: PolicyNode) {
        guard let entries = entries(of: "schedules", node) else { return }
        for entry in entries {
            // A schedule with a mistake counts as well: otherwise each use of its name would be reported, too.
            namedSchedules.insert(entry.key)
            let isOverruled = isOverruled("schedules.\(entry.key)") || hasBrokenChoice(.schedule, entry.key)
            guard isGoodScheduleName(entry), !isOverruled, let days = days(entry.value) else { continue }
            guard hasRoom(for: "schedules", after: schedules.count, of: PolicyLimits.schedules, at: entry.keyPlace)
            else { return }
            schedules[entry.key] = Schedule(entry.key, days: days)
        }
    }

    private mutating func isGoodScheduleName(_ entry: PolicyNode.Entry) -> Bool {
        isDottedName(entry, of: "a schedule", like: "after-school")
            && isFirst("schedules.\(entry.key)", called: entry.key, at: entry.keyPlace)
    }

    private static let example = "Write for example {mon-fri: 15:00-19:00, sat-sun: 9:00-20:00}."

    mutating func days(_ node: PolicyNode) -> [[Schedule.Span]]? {
        guard case .mapping(let entries) = node.content, !entries.isEmpty else {
            problems.add(
                "A schedule says for weekdays when it is open. \(Self.example)", kind: .structure, at: node.place)
            return nil
        }
        let problemCount = problems.found.count
        var days = Schedule("").days
        for entry in entries {
            guard let weekdays = weekdays(entry, advice: Self.severalTimes), let spans = spans(entry) else { continue }
            for day in weekdays {
                if days[day].isEmpty {
                    days[day] = spans
                } else {
                    problems.add(
                        "'\(Schedule.weekdays[day])' is there already. Write all of its times as one list, like "
                            + "[9:00-12:00, 14:00-18:00].", kind: .duplicate, at: entry.keyPlace)
                }
            }
        }
        return problems.found.count == problemCount ? days : nil
    }

    private static let severalTimes = "Several times on one day are a list, like [9:00-12:00, 14:00-18:00]."

    /// The weekdays that a key like "mon-fri" or "tue, sat-sun" names, from 0 for Monday. `advice` ends the report of
    /// a key that names none.
    mutating func weekdays(_ entry: PolicyNode.Entry, advice: String) -> [Int]? {
        let days = entry.key.split { $0 == "," || $0 == " " }.map { part -> [Int]? in
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map {
                Schedule.weekdays.firstIndex(of: String($0))
            }
            guard let first = ends[0], let last = ends[ends.count - 1], ends.count <= 2 else { return nil }
            let count = (last - first + 7) % 7 + 1
            return (0..<count).map { (first + $0) % 7 }
        }
        guard !days.isEmpty, !days.contains(nil) else {
            problems.add(
                "'\(entry.key.shortened)' is no weekday. There are: \(Schedule.weekdays.joined(separator: ", ")), and "
                    + "several as mon-fri or \"mon, wed\". \(advice)",
                kind: .notFound, parameters: ["name": entry.key.shortened], at: entry.keyPlace)
            return nil
        }
        return days.flatMap { $0 ?? [] }
    }

    private mutating func spans(_ entry: PolicyNode.Entry) -> [Schedule.Span]? {
        var nodes = [entry.value]
        if case .list = entry.value.content {
            guard let list = entry.value.filledList(of: entry.key, atMost: PolicyLimits.spansOfDay, &problems) else {
                return nil
            }
            nodes = list
        }
        let spans = nodes.map { $0.span(&problems) }
        return spans.contains(nil) ? nil : spans.compactMap(\.self).sorted { $0.begin < $1.begin }
    }

    // MARK: - Uses

    /// Puts the schedules into the requirements that name them.
    mutating func resolveSchedules(isWhole: Bool) {
        mapConditions { [schedules] condition in
            guard case .during(let named) = condition else { return condition }
            return .during(schedules[named.name] ?? named)
        }
        // A schedule that is missing because its file was left out stays without spans in the requirement. It is never
        // open, so the gate stays closed.
        namesOfLeftOutFiles(
            usesOfSchedules, of: "schedule", among: namedSchedules, isWhole: isWhole,
            ifNone: "is not a schedule: no file here has any.", advice: "Write it under 'schedules' in policy.yaml.")
    }
}

extension PolicyNode {
    /// A span of time like `15:00-19:00`, or `20:00-1:00`, which ends on the next day.
    fileprivate func span(_ problems: inout PolicyProblems) -> Schedule.Span? {
        let times = (text ?? "").split(separator: "-", omittingEmptySubsequences: false).map {
            Self.minutes(String($0))
        }
        guard times.count == 2, let begin = times[0], let end = times[1], begin < Schedule.minutesOfDay else {
            problems.add(
                "A time of a schedule is a beginning and an end, like 15:00-19:00 or 20:00-1:00, not \(found).",
                kind: .value, at: place)
            return nil
        }
        guard begin != end else {
            problems.add(
                "This ends when it begins. Write 0:00-24:00 for a whole day, or leave the weekday out if it is closed.",
                kind: .value, at: place)
            return nil
        }
        return Schedule.Span(begin, end > begin ? end : end + Schedule.minutesOfDay)
    }

    /// The minutes of a time like 9:00, from 0:00 to 24:00.
    static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            let hours = Int(wholeNumber: parts[0]), let minutes = Int(wholeNumber: parts[1]), minutes < 60
        else { return nil }
        let all = hours * 60 + minutes
        return all <= Schedule.minutesOfDay ? all : nil
    }
}
