import type { IncomingMessage } from "node:http";
import type { Clock } from "@capstan/contract";
import { parseInTurns } from "@capstan/schema/structural";
import { presentFields } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { RequestInfo, Status, User } from "../model/types.ts";
import type { AuditDecision } from "./audit-decision.ts";
import { auditDecision } from "./audit-decision.ts";
import type { AuditEvent, AuditObjectReference, AuditSink, AuditStage, AuditUser } from "./audit-event.ts";
import { type AuditPolicy, defaultAuditPolicy } from "./audit-policy.ts";

/** Options for the audit log of a server. */
export interface AuditOptions {
  readonly sink: AuditSink;
  /** Default: metadata of every request but health checks, once it is answered. */
  readonly policy?: AuditPolicy;
}

/** RFC 3339 with microseconds, as audit events have it. */
const microTime = (ms: number): string => new Date(ms).toISOString().replace("Z", "000Z");

const auditUser = ({ name, uid, groups, extra }: User): AuditUser =>
  presentFields<AuditUser>({ username: name, uid, groups, extra });

const textOf = (value: string | readonly string[] | undefined): string =>
  typeof value === "string" ? value : (value?.join(",") ?? "");

/** The client, and the proxies it names, as far as they can be believed. */
const sourceIPs = ({ headers, socket }: IncomingMessage): readonly string[] => {
  const forwarded = textOf(headers["x-forwarded-for"])
    .split(",")
    .map((address) => address.trim())
    .filter((address) => /^[0-9a-fA-F:.]{2,45}$/.test(address));
  const peer = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  return [...forwarded, ...(peer === "" || forwarded.includes(peer) ? [] : [peer])];
};

const referenceOf = (info: RequestInfo): AuditObjectReference | undefined =>
  info.isResource
    ? presentFields<AuditObjectReference>({
        resource: info.resource,
        namespace: info.namespace === "" ? undefined : info.namespace,
        name: info.name === "" ? undefined : info.name,
        apiGroup: info.group === "" ? undefined : info.group,
        apiVersion: info.version,
        subresource: info.subresource === "" ? undefined : info.subresource,
      })
    : undefined;

const withoutManagers = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  const { metadata, items } = value as Partial<KubeObject> & { readonly items?: unknown };
  const { managedFields: _, ...rest } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  return {
    ...value,
    ...(metadata === undefined ? {} : { metadata: rest }),
    ...(Array.isArray(items) ? { items: items.map(withoutManagers) } : {}),
  };
};

/** Writes the audit events of one request. */
export class RequestAudit {
  readonly #sink: AuditSink;
  readonly #clock: Clock;
  readonly #decision: AuditDecision;
  readonly #annotations: Record<string, string> = {};
  #event: Omit<AuditEvent, "stage" | "stageTimestamp">;
  #isOver = false;

  constructor(
    options: { readonly sink: AuditSink; readonly clock: Clock; readonly decision: AuditDecision },
    event: Omit<AuditEvent, "stage" | "stageTimestamp">,
  ) {
    this.#sink = options.sink;
    this.#clock = options.clock;
    this.#decision = options.decision;
    this.#event = event;
    void this.#write("RequestReceived");
  }

  /** Adds an annotation; the first value of a key stays. */
  annotate(key: string, value: string): void {
    if (!Object.hasOwn(this.#annotations, key)) this.#annotations[key] = value;
  }

  impersonated(user: User): void {
    this.#event = { ...this.#event, impersonatedUser: auditUser(user) };
  }

  /** The decoded body. */
  requestBody(value: unknown): void {
    const { level } = this.#decision;
    const { metadata } = (value ?? {}) as Partial<KubeObject>;
    const known = presentFields<AuditObjectReference>({
      name: metadata?.name,
      uid: metadata?.uid,
      resourceVersion: metadata?.resourceVersion,
    });
    if (this.#event.objectRef !== undefined && typeof metadata === "object") {
      this.#event = { ...this.#event, objectRef: { ...known, ...this.#event.objectRef } };
    }
    if (level === "Request" || level === "RequestResponse") {
      this.#event = { ...this.#event, requestObject: this.#shown(value) };
    }
  }

  /** An answer that continues for long has begun. */
  started(code: number): void {
    void this.#write("ResponseStarted", { responseStatus: { metadata: {}, code } });
  }

  /** `body`: the JSON text of the answer, if it has one. Resolves once its event is taken. */
  async completed(code: number, body?: string | Buffer): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const wantsBody = this.#decision.level === "RequestResponse";
    const answer = body === undefined || (code < 400 && !wantsBody) ? undefined : await parsed(body);
    const { status, reason, message } = (code >= 400 ? (answer ?? {}) : {}) as Partial<Status>;
    await this.#write("ResponseComplete", {
      responseStatus: presentFields({ metadata: {}, status, message: this.#message(message), reason, code }),
      ...(wantsBody && answer !== undefined ? { responseObject: this.#shown(answer) } : {}),
    });
  }

  /** The request could not be handled for a reason that no one foresaw. */
  panic(error: unknown): void {
    this.#isOver = true;
    const message = this.#message(`APIServer panic'd: ${error instanceof Error ? error.message : String(error)}`);
    const status = { metadata: {}, status: "Failure", message, reason: "InternalError", code: 500 } as const;
    void this.#write("Panic", { responseStatus: presentFields(status) });
  }

  #message(message: string | undefined): string | undefined {
    return this.#decision.omitMessages ? undefined : message;
  }

  #shown(value: unknown): unknown {
    return this.#decision.omitManagedFields ? withoutManagers(value) : value;
  }

  #write(stage: AuditStage, more: Partial<AuditEvent> = {}): void | Promise<void> {
    if (this.#decision.omitStages.has(stage)) return;
    const hasAnnotations = Object.keys(this.#annotations).length > 0;
    return this.#sink.write({
      ...this.#event,
      ...more,
      stage,
      stageTimestamp: microTime(this.#clock.now()),
      ...(hasAnnotations ? { annotations: { ...this.#annotations } } : {}),
    });
  }
}

const parsed = async (body: string | Buffer): Promise<unknown> => {
  try {
    return await parseInTurns(body.toString());
  } catch {
    return undefined;
  }
};

/** Begins to write about a request; `undefined` when the policy wants nothing. */
export type Auditor = (
  request: IncomingMessage,
  about: { readonly info: RequestInfo; readonly user: User; readonly auditID: string; readonly received: number },
) => RequestAudit | undefined;

export const createAuditor =
  ({ sink, policy = defaultAuditPolicy }: AuditOptions, clock: Clock): Auditor =>
  (request, { info, user, auditID, received }) => {
    const decision = auditDecision(policy, user, info);
    if (decision.level === "None") return undefined;
    const agent = textOf(request.headers["user-agent"]);
    const objectRef = referenceOf(info);
    return new RequestAudit(
      { sink, clock, decision },
      {
        kind: "Event",
        apiVersion: "audit.k8s.io/v1",
        level: decision.level,
        auditID,
        requestURI: request.url ?? "/",
        verb: info.verb,
        user: auditUser(user),
        sourceIPs: sourceIPs(request),
        ...(agent === "" ? {} : { userAgent: agent.slice(0, 1024) }),
        ...(objectRef === undefined ? {} : { objectRef }),
        requestReceivedTimestamp: microTime(received),
      },
    );
  };
