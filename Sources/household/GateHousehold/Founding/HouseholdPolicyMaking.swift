import GateGuardians
package import GateModel

extension HouseholdKeeping {
    /// The next household policy, with these files. `known` is the number of the newest known policy; `nil` if none is.
    package func policy(_ files: [HouseholdPolicy.File], after known: UInt64?, now: WallTime) -> HouseholdPolicy {
        HouseholdPolicy(
            household: settings.household, number: known.map { $0 + 1 } ?? firstPolicyNumber(now: now), issued: now,
            files: files)
    }

    /// If the list is numbered by the clock, the household was founded again and its policies may be lost. Then they
    /// are numbered by the clock, too, which is higher than any number before.
    private func firstPolicyNumber(now: WallTime) -> UInt64 {
        list.number < Self.lowestNumberByClock ? 1 : UInt64(clamping: now.unixMilliseconds)
    }

    /// In milliseconds since 1970: a day in 1987. Lists that are counted up one by one never get so high.
    private static let lowestNumberByClock: UInt64 = 1 << 39

    /// Signs a policy, and returns the JWS in compact form.
    package func signed(_ policy: HouseholdPolicy) -> [UInt8] {
        SignedText.sign(policy.payload, as: .policy, with: secret.signingKey)
    }
}

package struct HouseholdPolicyChanges: Hashable, Sendable {
    /// The paths of files that only the new one has.
    package private(set) var added: [String] = []
    /// The paths of files that have another text.
    package private(set) var changed: [String] = []
    /// The paths of files that only the old one has.
    package private(set) var removed: [String] = []

    package init(from old: HouseholdPolicy?, to new: HouseholdPolicy) {
        let before = Dictionary(uniqueKeysWithValues: (old?.files ?? []).map { ($0.path, $0.text) })
        for file in new.files {
            switch before[file.path] {
            case nil: added.append(file.path)
            case file.text: break
            case _: changed.append(file.path)
            }
        }
        let after = Set(new.files.map(\.path))
        removed = before.keys.filter { !after.contains($0) }
        added.sort()
        changed.sort()
        removed.sort()
    }

    package var isNone: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}
