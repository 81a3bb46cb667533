import { isCapstanError } from "@capstan/contract";
import type { BootstrapData } from "@capstan/contract/v1";
import type { ConditionInput } from "@capstan/contract/wire";
import { machine as machineFields, SecretResource } from "@capstan/contract/wire";
import { keyOf } from "@capstan/kube-values";
import type { Environment } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { ObjectStoreRequest } from "../../delivery/object-store-request.ts";
import { believedTargets, requestedTargets } from "../../delivery/store-access.ts";
import type { StoreAccess, StoreTarget } from "../../delivery/store-access.ts";
import { onStore } from "../../delivery/store-attempts.ts";
import { reportKeyOf, reportKeysOf } from "../../delivery/stored-keys.ts";
import type { LifeContext, ObjectContext } from "../../engine/author.ts";
import type { Operation } from "../../engine/operations.ts";
import type { Seen } from "../../engine/observation.ts";
import { permission } from "../../engine/permissions.ts";
import type { BootstrapReport, ReportPlace } from "../../report/bootstrap-report.ts";
import { joinedNode } from "../../report/joined-node.ts";
import { joinedLogs } from "../../report/log-tail.ts";
import { hasStoredReport, reportRecordOf, reportRecordPatch } from "../../report/report-record.ts";
import type { ReportRecord } from "../../report/report-record.ts";
import { checkerAnnotation } from "../../report/report-request.ts";
import type { ReportRequest } from "../../report/report-request.ts";
import { isFinal, isOverdue, minutes, reportVerdict } from "../../report/report-verdict.ts";
import type { ReportFacts, ReportVerdict } from "../../report/report-verdict.ts";
import { maxReportBytes } from "../../report/uploaded-report.ts";
import type { InfraMachineAuthor, MachineFacts, MachineReport, MachineSurroundings, ReportContext } from "./author.ts";
import { keepLog, logSecretName } from "./bootstrap-log.ts";
import { bootstrapCondition, noteBootstrapped, wasProvisioned } from "./status.ts";
import { storeAccess } from "./store-access.ts";
import { reportAsked } from "./report-asked.ts";
import { signUpload } from "./report-upload.ts";
import type { SignedUpload } from "./report-upload.ts";
import { deleteStoredReport } from "./stored-data.ts";
import { storeRequestOf } from "./store-request.ts";
import { ReportEvent, ReportReason } from "../../report/reasons.ts";

const defaultPollMs = 10_000;
/** After the wait is over, a report may still come. */
const latePollMs = 60_000;
/** Extra time after the wait in which a report may be uploaded. */
const graceMs = 3_600_000;

type Context<O extends KubeObject, C extends KubeObject> = ObjectContext<O> & MachineSurroundings<C>;

/** Permissions on Secrets for saved logs. */
export const reportPermissions = [
  permission(SecretResource, [], {
    rarely: { create: "the log of a bootstrapping that failed", patch: "the log of a bootstrapping that failed" },
  }),
];

/** Verdicts by kind of machine, reason, and who checked. */
const verdictsOf = ({ metrics }: Pick<Environment, "metrics">): Counted =>
  metrics.counter("capstan_bootstrap_verdicts_total", "Bootstrap results of servers.", ["kind", "reason", "checker"]);

type Counted = ReturnType<Environment["metrics"]["counter"]>;

/** A machine author's options for reports. */
export type ReportNeeds<O extends KubeObject, Api, C extends KubeObject> = Pick<
  InfraMachineAuthor<O, Api, never, C>,
  "objectStore" | "report"
>;

type Channel<O extends KubeObject, Api, C extends KubeObject> = MachineReport<O, Api, C>["channels"][number];

type Settled<O extends KubeObject, Api, C extends KubeObject> = LifeContext<O, Api, MachineSurroundings<C>> & {
  readonly seen: Seen<MachineFacts>;
};

/** While a server is being made. */
export type Underway<O extends KubeObject, Api, C extends KubeObject> = LifeContext<O, Api, MachineSurroundings<C>> & {
  readonly running: readonly Operation[];
};

/** Bootstrap reports of machines of one kind: asked for when data is delivered, then read until there is a verdict. */
export class MachineReports<O extends KubeObject, Api, C extends KubeObject> {
  readonly #author: ReportNeeds<O, Api, C>;
  readonly #channels: readonly Channel<O, Api, C>[];
  /** URLs that were signed for machines whose creation is not over: retries deliver the same data. */
  readonly #signed = new Map<string, SignedUpload>();

  constructor(author: ReportNeeds<O, Api, C>) {
    this.#author = author;
    this.#channels = author.report?.channels ?? [joinedNode()];
  }

  /** The data with what makes the machine report, where that is asked for. What goes wrong costs the report, not the machine. */
  async prepare(data: BootstrapData, context: Context<O, C>): Promise<BootstrapData> {
    const { checker, refused, wanted } = this.#request(context);
    const asked = this.#channels.filter(({ name }) => (checker === undefined ? wanted : name === checker));
    if (refused) return data;
    let { bytes } = data;
    const channels: string[] = [];
    for (const { name, prepare } of asked) {
      if (prepare === undefined) continue;
      try {
        const prepared = await prepare({ ...data, bytes }, this.#place(context));
        if ("unavailable" in prepared) this.#missing(context, prepared.unavailable);
        else {
          bytes = prepared.bytes;
          channels.push(name);
        }
      } catch (error) {
        context.call.signal.throwIfAborted();
        if (!isCapstanError(error)) throw error;
        this.#missing(context, error.message);
      }
    }
    if (channels.length === 0) return data;
    // Before the machine is made, so that what it uploads is known to be there whatever happens next.
    const { upload } = this.#signed.get(context.identity.uid) ?? {};
    await writeRecord(context, { channels, ...upload });
    return { ...data, bytes };
  }

  /** Reads the report of a server that is there and has no verdict yet. */
  async settled(context: Settled<O, Api, C>): Promise<{ readonly requeueAfterMs: number } | undefined> {
    const { changes, seen } = context;
    const before = bootstrapCondition(changes);
    if (isFinal(before)) return this.#finish(context);
    const request = this.#request(context);
    if (seen.state === "pending" && seen.bootstrap === undefined) {
      return seen.startedAt === undefined ? undefined : this.#comingUp(context, seen.startedAt, seen.handle);
    }
    const reading = this.#reading(context, request);
    const channel = request.refused ? undefined : this.#channel(reading, before === undefined);
    const listens =
      !request.refused && (seen.bootstrap !== undefined || (seen.state === "present" && channel !== undefined));
    if (!listens) return undefined;
    const facts = this.#facts(context, request);
    const said = seen.bootstrap ?? (await this.#read(reading, channel));
    const report = await this.#withConsole(reading, this.#inTime(said, channel, facts), facts);
    const checker = seen.bootstrap === undefined ? (channel?.name ?? "") : "cloud";
    const condition = await this.#conclude(context, reportVerdict(report, facts), checker);
    if (seen.state === "present") noteBootstrapped(changes, condition);
    if (condition.status === "True" || condition.reason === ReportReason.failed) return this.#finish(context);
    return this.#later(context, condition.reason, said);
  }

  /** The cloud works on a server: that it does not come up is said in time. */
  async underway(context: Underway<O, Api, C>): Promise<{ readonly requeueAfterMs: number } | undefined> {
    const making = context.running.filter(({ verb }) => verb === "create");
    if (making.length === 0) return undefined;
    const since = Math.min(...making.map(({ startedAt }) => startedAt));
    return this.#comingUp(context, since, this.#author.report?.handleOf?.(context));
  }

  /** A server that has never been up, since it is being made. `handle`: its console can be read. */
  async #comingUp(
    context: LifeContext<O, Api, MachineSurroundings<C>>,
    since: number,
    handle: string | undefined,
  ): Promise<{ readonly requeueAfterMs: number } | undefined> {
    const { changes, clock } = context;
    const request = this.#request(context);
    const facts = this.#facts(context, request);
    if (request.refused || wasProvisioned(changes.object) || facts.before !== undefined) return undefined;
    const leftMs = since + request.waitMs - clock.now();
    if (leftMs > 0) return { requeueAfterMs: leftMs };
    const cause = `the server has not come up within ${minutes(request.waitMs)}`;
    const late: BootstrapReport = { state: "timedOut", cause };
    const report =
      handle === undefined
        ? late
        : await this.#withConsole(this.#reading({ ...context, seen: { handle } }, request), late, facts);
    await this.#conclude(context, reportVerdict(report, facts), "cloud");
    return undefined;
  }

  #facts({ changes, clock, machine }: Context<O, C>, { waitMs }: ReportRequest): ReportFacts {
    const logSecret = this.#author.report === undefined ? undefined : logSecretName(changes.object);
    const hasNode = machineFields.nodeName.get(machine) !== undefined;
    return { before: bootstrapCondition(changes), now: clock.now(), waitMs, hasNode, logSecret };
  }

  /** Shows a verdict: in the condition, and when it is bad news in an event, with the log in a Secret. */
  async #conclude(
    context: Context<O, C>,
    { condition, event, log }: ReportVerdict,
    checker: string,
  ): Promise<ConditionInput> {
    const { changes, environment } = context;
    if (log !== undefined && this.#author.report !== undefined) {
      await keepLog(context, logSecretName(changes.object), log);
    }
    changes.condition(condition);
    if (event !== undefined) {
      if (event.type === "Warning") context.event(event);
      verdictsOf(environment).inc({ kind: changes.object.kind, reason: condition.reason, checker });
    }
    return condition;
  }

  /** The machine is created, or gone: its URL is no longer needed. */
  forget(uid: string): void {
    this.#signed.delete(uid);
  }

  #request({ changes, cluster, environment, infraCluster, machine }: Context<O, C>): ReportRequest {
    return reportAsked(environment, [changes.object, machine, infraCluster, cluster], this.#author.report?.byDefault);
  }

  #reading(
    context: LifeContext<O, Api, MachineSurroundings<C>> & { readonly seen: { readonly handle: string } },
    { checker, waitMs }: Pick<ReportRequest, "checker" | "waitMs">,
  ): ReportContext<O, Api, C> {
    return { ...context, handle: context.seen.handle, waitMs, checker, uploaded: () => this.#uploaded(context) };
  }

  /** The one that was chosen, or else the first that this machine can have. */
  #channel(reading: ReportContext<O, Api, C>, isNew: boolean): Channel<O, Api, C> | undefined {
    const { checker } = reading;
    const prepared = reportRecordOf(reading.object)?.channels ?? [];
    const available = this.#channels.filter(
      ({ isAvailable, name, prepare }) =>
        (prepare === undefined || prepared.includes(name)) && isAvailable?.(reading) !== false,
    );
    const chosen = available.find(({ name }) => name === checker) ?? available[0];
    if (checker !== undefined && chosen?.name !== checker && isNew) {
      const names = available.map(({ name }) => name);
      const instead = chosen === undefined ? "" : ` ${chosen.name} checks it instead;`;
      this.#missing(
        reading,
        `${checkerAnnotation}: ${checker} is not supported by this machine;${instead} use one of ${[...names, "none"].join(", ")}`,
      );
    }
    return chosen;
  }

  async #read(
    reading: ReportContext<O, Api, C>,
    channel: Channel<O, Api, C> | undefined,
  ): Promise<BootstrapReport | undefined> {
    return channel === undefined ? undefined : this.#tried(reading, channel.name, () => channel.read(reading));
  }

  /** Returns the reported result, or the result of a timeout. */
  #inTime(
    said: BootstrapReport | undefined,
    channel: Channel<O, Api, C> | undefined,
    facts: ReportFacts,
  ): BootstrapReport | undefined {
    const isSilence = said === undefined || said.state === "running";
    if (!isSilence || !isOverdue(facts, said)) return said;
    const cause = facts.hasNode ? undefined : channel?.silence?.(minutes(facts.waitMs));
    return { state: "timedOut", ...(cause !== undefined && { cause }) };
  }

  /** A new result includes the end of the server's console output, if it is readable. */
  async #withConsole(
    reading: ReportContext<O, Api, C>,
    report: BootstrapReport | undefined,
    facts: ReportFacts,
  ): Promise<BootstrapReport | undefined> {
    const { consoleLog } = this.#author.report ?? {};
    if (report?.state !== "failed" && report?.state !== "timedOut") return report;
    const isNews = report.state === "failed" || facts.before?.reason !== ReportReason.timedOut;
    if (consoleLog === undefined || !isNews || facts.hasNode) return report;
    const log = (await this.#tried(reading, "console", () => consoleLog(reading))) ?? "";
    return { ...report, log: joinedLogs(log, report.log ?? "") };
  }

  /** An unreadable report changes nothing. */
  async #tried<T>(
    { call, log }: ReportContext<O, Api, C>,
    channel: string,
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      call.signal.throwIfAborted();
      const said = isCapstanError(error) ? { error: error.message, code: error.code } : { error };
      log.warn("cannot read a bootstrap report; retrying", { channel, ...said });
      return undefined;
    }
  }

  async #uploaded(context: Context<O, C>): Promise<Uint8Array | undefined> {
    const { object } = context.changes;
    const { key, store, storeType } = reportRecordOf(object) ?? {};
    if (key === undefined || store === undefined) return undefined;
    const { namespace } = context.identity;
    const request = this.#storeRequest(context);
    const requested = request === undefined ? [] : requestedTargets(request, namespace);
    const [target] = believedTargets([store], namespace, requested);
    if (target === undefined) return undefined;
    const access = this.#access(context, [target], storeType);
    return onStore(access, target, async (opened, signal) => {
      for (const own of reportKeysOf(object)) {
        const bytes = await opened.get?.(own.key, { maxBytes: maxReportBytes, signal });
        if (bytes !== undefined && bytes !== null) return bytes;
      }
      return undefined;
    });
  }

  /** While nothing is said, soon; after the wait, rarely, as long as something may come. */
  async #later(
    context: Context<O, C>,
    reason: string,
    report: BootstrapReport | undefined,
  ): Promise<{ readonly requeueAfterMs: number } | undefined> {
    if (reason !== ReportReason.timedOut) return { requeueAfterMs: this.#author.report?.pollMs ?? defaultPollMs };
    if (report?.state === "running") return { requeueAfterMs: latePollMs };
    const { expires } = reportRecordOf(context.changes.object) ?? {};
    const isOver = expires === undefined || Date.parse(expires) < context.clock.now();
    return isOver ? this.#finish(context) : { requeueAfterMs: latePollMs };
  }

  /** The upload is no longer needed. */
  async #finish(context: Context<O, C>): Promise<undefined> {
    const { changes, environment, secrets } = context;
    if (!hasStoredReport(changes.object)) return;
    const request = this.#storeRequest(context);
    await deleteStoredReport({ changes, context: environment, request, secrets });
  }

  #access(
    { changes, environment, secrets }: Context<O, C>,
    targets: readonly StoreTarget[],
    type?: string,
  ): StoreAccess {
    const user = keyOf(changes.object);
    return storeAccess({ targets, defaultType: type }, user, secrets, environment);
  }

  #storeRequest({ changes, environment, infraCluster }: Context<O, C>): ObjectStoreRequest | undefined {
    return storeRequestOf(this.#author.objectStore, { object: changes.object, infraCluster }, environment);
  }

  #place(context: Context<O, C>): ReportPlace {
    const { identity } = context;
    const request = this.#storeRequest(context);
    if (request === undefined) return { upload: undefined };
    const { waitMs } = this.#request(context);
    return {
      upload: async () => {
        const known = this.#signed.get(identity.uid);
        if (known !== undefined && known.expiresAt - waitMs > context.clock.now()) return known;
        const targets = requestedTargets(request, identity.namespace);
        const access = this.#access(context, targets, request.defaultType);
        const signed = await signUpload(access, reportKeyOf(identity.owner), waitMs + graceMs);
        this.#signed.set(identity.uid, signed);
        return signed;
      },
    };
  }

  #missing({ event, log }: Pick<Context<O, C>, "event" | "log">, why: string): void {
    log.warn("no bootstrap report", { why });
    event({
      type: "Warning",
      reason: ReportEvent.unavailable,
      message: `no bootstrap report: ${why}`,
    });
  }
}

const writeRecord = async <O extends KubeObject>(
  { changes }: ObjectContext<O>,
  record: ReportRecord,
): Promise<void> => {
  if (JSON.stringify(reportRecordOf(changes.object)) === JSON.stringify(record)) return;
  await changes.writeNow(reportRecordPatch(record));
};
