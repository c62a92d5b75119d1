import GateGuardians
package import GateModel

extension HouseholdKeeping {
    /// Makes the next policy for all devices.
    ///
    /// - Parameters:
    ///   - files: all of it.
    ///   - known: the number of the newest one that is known; `nil`: none is.
    package func policy(_ files: [HouseholdPolicy.File], after known: UInt64?, now: WallTime) -> HouseholdPolicy {
        HouseholdPolicy(
            household: settings.household, number: known.map { $0 + 1 } ?? firstPolicyNumber(now: now), issued: now,
            files: files)
    }

    /// A household that was founded anew numbers its lists by the clock, so that each is higher than any that there was. Where its policies are
    /// lost, too, they are numbered likewise.
    private func firstPolicyNumber(now: WallTime) -> UInt64 {
        list.number < Self.lowestNumberByClock ? 1 : UInt64(clamping: now.unixMilliseconds)
    }

    /// In milliseconds since 1970: a day in 1987. Nobody makes as many lists one by one.
    private static let lowestNumberByClock: UInt64 = 1 << 39

    /// Signs a policy: a JWS in compact form.
    package func signed(_ policy: HouseholdPolicy) -> [UInt8] {
        SignedText.sign(policy.payload, as: .policy, with: secret.signingKey)
    }
}

/// The difference between two policies for all devices.
package struct HouseholdPolicyChanges: Hashable, Sendable {
    /// The paths of files that the one before does not have.
    package private(set) var added: [String] = []
    /// Those of files whose text is another one.
    package private(set) var changed: [String] = []
    /// Those of files that are gone.
    package private(set) var removed: [String] = []

    /// Compares.
    ///
    /// - Parameter old: `nil`: there was none.
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

    /// Whether both are the same.
    package var isNone: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}
