/// What an engine is made of, for good: the app, what is outside of the process, and how it behaves.
struct EngineSetup: Sendable {
    let app: AppIdentity
    let backend: any DeliveryBackend
    let store: any RequestStore
    let clock: any TriggerClock
    let prompt: (any AuthorizationPrompt)?
    let location: (any LocationProvider)?
    let options: CenterOptions
}
