import GateModel

/// `GET /v1/subscribers/{id}/offerings`: what the app sells. It uses the public key, and its answer is not signed.
struct OfferingsRequest: Hashable, Sendable {
    let url: String
    let publicKey: String

    /// `nil` if the user can't be a segment of a path.
    init?(_ settings: RevenueCatSettings, user: String) {
        guard let path = CustomerInfoRequest.path(of: user) else { return nil }
        url = settings.baseURL + path + "/offerings"
        publicKey = settings.publicKey
    }

    var headers: [String: String] {
        [
            "Authorization": "Bearer \(publicKey)", "Accept": "application/json",
            "User-Agent": "gate-revenuecat/\(GateRelease.version)",
        ]
    }
}
