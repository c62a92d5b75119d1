// Anyone who imports GateClient has the values that it speaks in: modes, errors, presentations, forms.
@_exported public import GateModel
