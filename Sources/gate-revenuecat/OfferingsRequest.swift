import Foundation
import FoundationNetworking
import GateModel

/// `GET /v1/subscribers/{id}/offerings`: what the app sells, with the public key. It is not signed.
struct OfferingsRequest: Hashable, Sendable {
    let url: URL
    let publicKey: String

    /// `nil`: it makes no URL.
    init?(_ settings: RevenueCatSettings, user: String) {
        guard let path = CustomerInfoRequest.path(of: user),
            let url = URL(string: settings.baseURL + path + "/offerings")
        else { return nil }
        self.url = url
        publicKey = settings.publicKey
    }

    var headers: [String: String] {
        [
            "Authorization": "Bearer \(publicKey)", "Accept": "application/json",
            "User-Agent": "gate-revenuecat/\(GateRelease.version)",
        ]
    }
}
