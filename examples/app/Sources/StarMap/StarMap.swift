public import GateClient

/// A map of the stars for families. The stars are free, the nebulae are premium, and what leads out of the app into the web
/// is behind the gate of the grown-ups. Everything that has to do with Gate is in this file.
@MainActor
public final class StarMap {
    public enum Layer: String, Sendable, CaseIterable {
        case stars
        case nebulae
    }

    public private(set) var layer = Layer.stars
    /// The web pages that were opened.
    public private(set) var pages: [String] = []
    /// What the screen says below the map; `nil`: nothing.
    public private(set) var hint: String?

    private let gate: GateClient

    /// - Parameter gate: handed in, so that a test can hand in another.
    public init(gate: GateClient) {
        self.gate = gate
    }

    /// A tap on a link.
    public func open(_ url: String) async {
        await hinting {
            try await gate.authorize("link.open", details: url) { pages.append(url) }
        }
    }

    /// A tap on the button for the nebulae.
    public func showNebulae() async {
        await hinting {
            try await gate.requirePremium { layer = .nebulae }
        }
    }

    /// For as long as the app runs: premium may run out while its layer is shown.
    public func followEntitlements() async {
        for await state in gate.entitlementUpdates where !state.isSubscriptionActive { layer = .stars }
    }

    /// What was refused is said; what the person has closed needs no words.
    private func hinting(_ body: () async throws -> Void) async {
        hint = nil
        do {
            try await body()
        } catch let error as GateError where error.reason == .dismissed {
        } catch {
            hint = "\(error)"
        }
    }
}
