import Base
import NetworkLayer
package import RequestCollections
import Synchronization
import WebSockets

extension CollectionRunner {
    /// What would be sent, secrets included. Runs what templates need of other responses, but not what `needs` names.
    package func resolve(_ job: RunJob) async throws(ResolutionError) -> ResolvedRequest {
        try await resolve(job, in: NodeContext()).wrappedValue
    }

    /// What gets the token, when the request needs one; a request that a mock answers needs none.
    func authorizer(for resolved: ResolvedRequest) -> OAuth2Authorizer? {
        guard let definition = resolved.oauth2, resolved.mock == nil || mocks == nil else { return nil }
        return OAuth2Authorizer(definition, for: resolved, source: tokens)
    }

    /// The operation for what was resolved.
    func operation(
        for resolved: ResolvedRequest, of job: RunJob, _ authorizer: OAuth2Authorizer?, _ player: SessionPlayer?
    ) -> RequestOperation {
        var delegate = RequestDelegate()
        if let hydrate = resolved.hydrate {
            let redactor = authorizer.map { resolved.redactor.union($0.redactor) } ?? resolved.redactor
            delegate.hydrator = CommandHydrator(hydrate, environment: processEnvironment, hiding: redactor) { [trust] in
                trust.ran(hydrate.permit, in: hydrate.directory, of: job.collection)
            }
        }
        var configuration = resolved.configuration
        let isExpected = configuration.limits.bodyBytes != nil || limits.bodyBytes != Limits.defaultBodyBytes
        // Whoever sets a limit expects a body of that size.
        if isExpected { configuration.limits.decodedRatio = nil }
        configuration.limits.bodyBytes = configuration.limits.bodyBytes ?? limits.bodyBytes
        if let cookies, resolved.cookieJar == .unsaid {
            let jar = itemCookies.jar(cookies, for: job, in: queue.client.cookies)
            configuration.cookies = CookieConfiguration(acceptance: .always, sends: true, jar: jar)
        }
        if let authorizer {
            delegate.authorizer = authorizer
            configuration.retry = RetryPolicies([TokenRefusal(authorizer: authorizer)] + configuration.retry.policies)
        }
        var request = resolved.request
        if let player {
            request = player.socket.prepared(request)
            player.socket.prepare(&configuration)
        }
        return RequestOperation(
            request, configuration: configuration, delegate: delegate, priority: resolved.priority)
    }

    /// What templates may take, before anything is asked for.
    func sources(for job: RunJob, in context: NodeContext) -> TemplateEnvironment {
        let remembered = (context.before ?? memory.withLock { $0 }).captured(in: job.place)
        return TemplateEnvironment(
            trust: trust.trust(in: job.collection),
            processEnvironment: processEnvironment.merging(givenEnvironment) { own, _ in own },
            captured: remembered.merging(context.captured) { $1 })
    }

    func resolve(_ job: RunJob, in context: NodeContext) async throws(ResolutionError) -> Shared<ResolvedRequest> {
        if let (requests, index) = context.constant, let known = requests[index] { return known }
        let resolved = try await answering(job, in: context) { (sources) throws(ResolutionError) in
            Shared(
                wrappedValue: try job.collection.resolve(
                    job.definition, environment: job.environment, variables: job.variables,
                    secretVariables: job.secretVariables, with: sources))
        }
        if resolved.isConstant, let (requests, index) = context.constant { requests[index] = resolved }
        return resolved
    }

    /// Gets what is asked for, until nothing more is.
    func answering<Resolved>(
        _ job: RunJob, in context: NodeContext, _ resolve: (TemplateEnvironment) throws(ResolutionError) -> Resolved
    ) async throws(ResolutionError) -> Resolved {
        var sources = sources(for: job, in: context)
        sources.usesMocks = mocks != nil && !job.ignoresMock
        while true {
            do throws(ResolutionError) {
                return try resolve(sources)
            } catch {
                if !error.wants.isEmpty {
                    job.turn?.waits(for: .person("what is allowed"))
                    guard let allowed = await trust.ask(for: error.wants, of: job.collection) else { throw error }
                    job.turn?.goesOn()
                    sources.trust = allowed
                    continue
                }
                // Only what is really needed is read, so that a request without secrets never waits for a command.
                let unmet = error.requirements.filter { sources.answers[$0.requirement] == nil }
                guard !unmet.isEmpty else { throw error }
                for need in unmet {
                    sources.answers[need.requirement] = try await answer(to: need, for: job, in: context)
                }
            }
        }
    }

    private func answer(
        to need: UnmetRequirement, for job: RunJob, in context: NodeContext
    ) async throws(ResolutionError) -> TemplateAnswer {
        switch need.requirement {
        case .secret:
            guard let secret = need.secret else { throw Self.refused(need) }
            do throws(ResolutionError) {
                return TemplateAnswer(.string(try await value(of: secret, for: job, at: need.location)), isSecret: true)
            } catch {
                var error = error
                // A user who was asked for it and declined isn't asked again.
                if case .prompt = secret {} else { error.variable = need.variable }
                throw error
            }
        case .command(let command):
            guard let permit = need.permit else { throw Self.refused(need) }
            do throws(ResolutionError) {
                let output = PermittedSecret.command(command.words, directory: command.directory, permit)
                return TemplateAnswer(.string(try await value(of: output, for: job, at: need.location)))
            } catch {
                // It isn't that a secret is missing: the template has no value.
                throw ResolutionError(.template, error.message, at: error.location)
            }
        case .prompt(let prompt):
            return TemplateAnswer(.string(try await ask(prompt, for: job, at: need.location)), isSecret: prompt.isSecret)
        case .select(let select):
            guard let prompter else { throw Self.nobody(need) }
            job.turn?.waits(for: .person(select.message))
            do throws(PromptError) {
                let chosen = try await prompter.choose(select)
                job.turn?.goesOn()
                return TemplateAnswer(.string(chosen))
            } catch {
                throw ResolutionError(.secret, error.message, at: need.location)
            }
        case .response(let response):
            return try await value(of: response, need.permit, for: job, in: context, at: need.location)
        }
    }

    /// Resolving has said it before: this only keeps it from being forgotten.
    private static func refused(_ need: UnmetRequirement) -> ResolutionError {
        ResolutionError(.notAllowed, "the request needs \(need.requirement), which isn't allowed", at: need.location)
    }

    private static func nobody(_ need: UnmetRequirement) -> ResolutionError {
        ResolutionError(
            .secret, "the request needs \(need.requirement), and nobody can be asked here; give the variable a value with --var",
            at: need.location)
    }

    private func ask(
        _ prompt: PromptRequirement, for job: RunJob? = nil, at location: SourceLocation?
    ) async throws(ResolutionError) -> String {
        guard let prompter else { throw Self.nobody(UnmetRequirement(.prompt(prompt), at: location)) }
        job?.turn?.waits(for: .person(prompt.message))
        do throws(PromptError) {
            let answer = try await prompter.ask(prompt)
            job?.turn?.goesOn()
            return answer
        } catch {
            throw ResolutionError(.secret, error.message, at: location)
        }
    }

    // MARK: Secrets

    private func value(
        of secret: PermittedSecret, for job: RunJob, at location: SourceLocation?
    ) async throws(ResolutionError) -> String {
        let wait: RunWait
        switch secret {
        case .environment, .file: return try await read(secret, at: location)
        case .command(let words, _, _): wait = .command(words.joined(separator: " "))
        case .prompt(let message): wait = .person(message)
        }
        let (answer, generation) = answers.withLock { ($0[secret], $0.generation) }
        if let answer { return answer }
        let question = SecretQuestion(secret: secret, generation: generation)
        job.turn?.waits(for: wait)
        // Requests that are sent at the same time ask once.
        let outcome = await asking.run(question) { [self] in
            if let answer = answers.withLock({ $0[secret] }) { return .success(answer) }
            do throws(ResolutionError) {
                let text = try await read(secret, at: location)
                if case .command(_, let directory, let permit) = secret { trust.ran(permit, in: directory, of: job.collection) }
                answers.withLock { $0.keep(text, for: secret, at: queue.client.time.now, askedIn: generation) }
                return .success(text)
            } catch {
                return .failure(error)
            }
        }
        guard let outcome else { throw ResolutionError(.secret, "the run was cancelled", at: location) }
        let value = try outcome.get()
        job.turn?.goesOn()
        return value
    }

    private func read(_ secret: PermittedSecret, at location: SourceLocation?) async throws(ResolutionError) -> String {
        if case .prompt(let message) = secret {
            return try await ask(PromptRequirement(message: message, isSecret: true), at: location)
        }
        do throws(SecretError) {
            return try await secrets.read(secret)
        } catch {
            throw ResolutionError(.secret, error.message, at: location)
        }
    }

    // MARK: Earlier responses

    /// `response("login", ".token", max_age: "1h")`: of this run, of the last good response, or of a new one.
    private func value(
        of need: ResponseRequirement, _ permit: Permission?, for job: RunJob, in context: NodeContext, at location: SourceLocation?
    ) async throws(ResolutionError) -> TemplateAnswer {
        let earlier: EarlierResponse
        if let answer = context.responses[need.request] {
            earlier = answer
        } else if let definition = job.collection.shared(need.request),
            let success = success(of: job.job(for: definition), within: need.maxAge)
        {
            earlier = success.response
        } else {
            earlier = try await fetch(need, for: job, in: context, at: location)
            job.turn?.goesOn()
        }
        let values: [JSONValue]
        do throws(BodyFilterError) {
            values = try await BodyFilter(need.filter.source).values(
                of: .init(earlier.info), environment: environment(outside: job.collection), permit: permit,
                limits: .init(timeout: limits.timeout), worker: worker)
            trust.ran(permit, in: "", of: job.collection)
        } catch {
            let message = earlier.redactor.text(error.message)
            throw ResolutionError(.variable, "the response of `\(need.request)`: \(message)", at: location)
        }
        guard let value = values.first, value != .null else {
            throw ResolutionError(
                .variable, "`\(need.filter.source)` finds nothing in the response of `\(need.request)`", at: location)
        }
        // For what is captured as a secret, or is sent back, this is a second way to get it.
        return TemplateAnswer(
            value, isSecret: value.leafTexts.contains(where: earlier.redactor.finds), from: Origin(answering: earlier.info))
    }

    /// The environment for the programs of filters, in which none is found in the collection.
    func environment(outside collection: RequestCollection) -> [String: String] {
        var environment = processEnvironment
        environment["PATH"] = environment["PATH"].map { ProgramSearch.path($0, outside: CollectionPlace(collection.path).path) }
        return environment
    }

    /// A new response, for a name that no plan could see: it is itself a template.
    private func fetch(
        _ need: ResponseRequirement, for job: RunJob, in context: NodeContext, at location: SourceLocation?
    ) async throws(ResolutionError) -> EarlierResponse {
        guard let definition = job.collection.shared(need.request) else {
            throw ResolutionError(.definition, "there is no request `\(need.request)`", at: location)
        }
        let chain = context.chain + [job.definition.id]
        let freshness = need.maxAge.map(RunPlan.Freshness.within) ?? .any
        let plan = plan(for: job.job(for: definition), freshness)
        guard let again = plan.nodes.first(where: { chain.contains($0.id) }) else {
            let outcome = await perform(plan, neededBy: chain)
            if let answer = outcome.response { return answer }
            let reason =
                outcome.result.map { NodeContext.sentence(about: $0, for: job.definition.id) }
                ?? "`\(need.request)` has no response"
            throw ResolutionError(.variable, reason, at: location)
        }
        let circle = (chain.drop { $0 != again.id } + [again.id]).map(\.rawValue).joined(separator: " → ")
        throw ResolutionError(.cycle, "the requests need each other in a circle: \(circle)", at: location)
    }
}
