package import GateModel

/// A request to change Gate, for which the daemon may want a grown-up's grant.
package protocol GrantedRequest: WireMessage {
    /// A grown-up's grant for `gate.change`; `nil` for administrators.
    var grant: Grant.Proof? { get set }
}
