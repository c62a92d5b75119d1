// Anyone who imports GateClient has the values that it speaks in: modes, errors, presentations, messages.
@_exported public import GateModel
@_exported public import GateProtocol
