import assert from "node:assert/strict";
import { Annotation } from "@capstan/contract";
import { quorumObstacle } from "../../src/etcd/quorum.ts";
import { type Member, nameOfMember } from "../../src/roles/control-plane/member.ts";
import { type Plan, planControlPlane } from "../../src/roles/control-plane/plan.ts";
import { goingFirst, planTurn } from "../../src/roles/control-plane/plan-turn.ts";
import {
  byUrgency,
  isUnhealthy,
  judgeBegun,
  judgeRemediation,
} from "../../src/roles/control-plane/remediation-plan.ts";
import {
  beginBeside,
  type BegunRecord,
  type RemediationRecord,
  nextRecord,
  recordText,
  takeRecord,
} from "../../src/roles/control-plane/remediation-record.ts";
import { waitForMembers } from "../../src/roles/control-plane/wait-for-members.ts";
import { member, start } from "./members.ts";

/** Seconds of one step of the model, in which the controller looks once. */
export const stepSeconds = 10;
const unhealthySeconds = 300;
const startupSeconds = 600;
const domains = ["x", "y", "z"];

/** One Machine with its server and its member of etcd. */
interface Server {
  readonly name: string;
  readonly domain: string | undefined;
  readonly version: number;
  readonly born: number;
  /** When it begins to join; never: its server does not come up. */
  readonly joins: number;
  readonly remediationFor: RemediationRecord | undefined;
  readonly id: bigint;
  etcd: "learner" | "none" | "voter";
  node: boolean;
  /** Its processes run. */
  runs: boolean;
  reachable: boolean;
  /** Since when it is not well. */
  illSince: number | undefined;
  leavingSince: number | undefined;
  /** Held until it has left etcd. */
  held: boolean;
}

interface Chance {
  next(): number;
}

/** A control plane whose every decision the planners make, in the order in which a reconcile asks them, and the servers that follow. */
export class PlannedControlPlane {
  replicas = 3;
  version = 1;
  /** Seconds since the start. */
  now = 0;
  /** Every decision so far, for the message of a failure. */
  readonly decided: string[] = [];
  #servers: Server[] = [];
  #initialized = false;
  #record: BegunRecord | undefined;
  #made = 0;
  readonly #random: Chance;
  readonly #maxSurge: number;

  constructor(random: Chance, maxSurge: number) {
    this.#random = random;
    this.#maxSurge = maxSurge;
  }

  get servers(): readonly Server[] {
    return this.#servers;
  }

  /** The Machines as they are, for the message of a failure. */
  get described(): string {
    const { now, replicas, version } = this;
    const record = this.#record?.machine ?? "none";
    return [
      `at ${now}: ${replicas} wanted of version ${version}; remediation of ${record} is in progress`,
      ...this.#servers.map((server) => JSON.stringify({ ...server, id: String(server.id) })),
    ].join("\n");
  }

  get #voters(): readonly Server[] {
    return this.#servers.filter(({ etcd }) => etcd === "voter");
  }

  get hasMajority(): boolean {
    const voters = this.#voters;
    return !this.#initialized || voters.filter(({ runs }) => runs).length > voters.length / 2;
  }

  /** True when the loss of a member leaves a majority. */
  outlives(lost: Server): boolean {
    const voters = this.#voters;
    return voters.filter((server) => server.runs && server !== lost).length > voters.length / 2;
  }

  get isSettled(): boolean {
    return (
      this.#servers.length === this.replicas &&
      this.#servers.every(
        (server) => this.#isWell(server) && server.version === this.version && server.leavingSince === undefined,
      )
    );
  }

  delete(server: Server): void {
    server.leavingSince ??= this.now;
  }

  /** One look of the controller, of which a crash leaves out what comes after some of its calls, and what happens until the next. */
  step({ crashes = false, sees = true } = {}): void {
    const before = this.#servers.filter(({ etcd }) => etcd === "voter").length;
    if (sees) this.#reconcile(crashes);
    this.#changed(before, "a decision");
    this.now += stepSeconds;
    this.#live();
  }

  /** Never two members at once, never without a majority. */
  #changed(before: number, by: string): void {
    const after = this.#voters.length;
    assert.ok(Math.abs(after - before) <= 1, `${by} changed the voters from ${before} to ${after}`);
    assert.ok(this.hasMajority, `etcd has lost its majority by ${by}`);
    const going = this.#servers.filter(({ held, leavingSince }) => leavingSince !== undefined && !held);
    assert.ok(going.length <= 1, `${going.length} Machines were let go at once`);
  }

  #isWell({ node, reachable, runs }: Server): boolean {
    return node && runs && reachable;
  }

  #isIll(server: Server): boolean {
    const limit = server.node ? unhealthySeconds : startupSeconds;
    const since = server.node ? server.illSince : server.born;
    return since !== undefined && this.now - since >= limit;
  }

  #memberOf(server: Server): Member {
    const { born, domain, name, node, remediationFor } = server;
    const ill = this.#isIll(server);
    return member({
      name,
      age: born,
      node,
      ...(domain !== undefined && { domain }),
      outdated: server.version !== this.version,
      broken: node && !this.#isWell(server),
      leaving: server.leavingSince !== undefined,
      says: { HealthCheckSucceeded: ill ? "False" : "True", OwnerRemediated: ill ? "False" : "True" },
      ...(remediationFor && { annotations: { [Annotation.remediationFor]: recordText(remediationFor) } }),
    });
  }

  #serverOf(given: Member): Server {
    const found = this.#servers.find(({ name }) => name === nameOfMember(given));
    assert.ok(found);
    return found;
  }

  /** Why a server cannot leave: nobody else would serve, or etcd would have no safe majority. */
  #obstacle(leaving: Server): string | undefined {
    const serves = !leaving.node || this.#servers.some((other) => other !== leaving && this.#isWell(other));
    if (!serves) return "nobody serves";
    const members = this.#servers
      .filter(({ etcd }) => etcd !== "none")
      .map(({ etcd, id, name }) => ({ id, name, hosts: [], learner: etcd === "learner", alarms: [] }));
    const healthy = new Set(this.#servers.filter((server) => this.#isWell(server)).map(({ id }) => id));
    return quorumObstacle(members, { leaving: leaving.etcd === "none" ? undefined : leaving.id, healthy });
  }

  #reconcile(crashes: boolean): void {
    const members = this.#members;
    const waiting = this.#terminate();
    if (crashes && this.#random.next() < 0.5) return;
    const held = waiting === "quorum";
    const { mayRemediate, mayScale } = planTurn(members, { held, waiting: waiting !== undefined });
    if (mayRemediate && this.#remediate(members, held, crashes)) return;
    if (mayScale) this.#scale();
  }

  #terminate(): "quorum" | "replacement" | undefined {
    const leaving = this.#servers.filter(({ leavingSince }) => leavingSince !== undefined);
    if (leaving.some(({ held }) => !held)) return undefined;
    let first: "quorum" | "replacement" | undefined;
    for (const server of leaving.toSorted((left, right) => (left.leavingSince ?? 0) - (right.leavingSince ?? 0))) {
      const isLast = this.#servers.length === 1;
      const waiting = isLast
        ? this.#initialized && ("replacement" as const)
        : server.etcd !== "none" && this.#obstacle(server) !== undefined && ("quorum" as const);
      if (waiting === false) {
        this.decided.push(`${this.now}: lets ${server.name} go`);
        server.etcd = "none";
        server.held = false;
        return undefined;
      }
      first ??= waiting;
    }
    return first;
  }

  #remediate(members: readonly Member[], held: boolean, crashes: boolean): boolean {
    if (this.#record !== undefined) {
      const begun = judgeBegun(this.#record, { members, held, replacement: this.#replacement(members) });
      if (begun.kind === "waits") return false;
      if (begun.kind === "delete") {
        this.delete(this.#serverOf(begun.member));
        return true;
      }
      if (begun.kind === "over") this.#record = nextRecord(this.#record);
    }
    for (const ill of members.filter(isUnhealthy).toSorted(byUrgency())) {
      const now = start + this.now * 1000;
      const verdict = judgeRemediation(ill, { members, policy: undefined, initialized: this.#initialized, held, now });
      const isUnsafe = this.#initialized && this.#obstacle(this.#serverOf(ill)) !== undefined;
      if (verdict.kind === "refused" || isUnsafe) continue;
      this.decided.push(`${this.now}: replaces ${nameOfMember(ill)}`);
      this.#record = beginBeside(this.#record, verdict.record);
      if (!crashes) this.delete(this.#serverOf(ill));
      return true;
    }
    return false;
  }

  get #members(): readonly Member[] {
    return this.#servers.map((server) => this.#memberOf(server));
  }

  #plan(): Plan {
    const facts = { replicas: this.replicas, maxSurge: this.#maxSurge, failureDomains: domains };
    return planControlPlane({ ...facts, initialized: this.#initialized, members: this.#members });
  }

  #scale(): void {
    const members = this.#members;
    const plan = this.#plan();
    if (plan.action === "none") return;
    const leaving = plan.action === "scaleDown" ? plan.member : undefined;
    if (plan.action !== "initialize" && this.#isBlocked(members, leaving)) return;
    if (leaving === undefined) {
      this.#make(plan.action === "scaleDown" ? undefined : plan.failureDomain);
      return;
    }
    this.decided.push(`${this.now}: takes ${nameOfMember(leaving)}`);
    this.delete(this.#serverOf(leaving));
  }

  #replacement(members: readonly Member[]): "blocked" | "due" | "none" {
    const { action } = this.#plan();
    if (action === "none" || action === "scaleDown") return "none";
    return action === "scaleUp" && this.#isBlocked(members, undefined) ? "blocked" : "due";
  }

  #isBlocked(members: readonly Member[], leaving: Member | undefined): boolean {
    if (goingFirst(members, leaving === undefined ? "scaleUp" : "scaleDown").length > 0) return true;
    const missing = (each: Member): readonly string[] => (this.#isWell(this.#serverOf(each)) ? [] : ["health"]);
    return waitForMembers({ leaving, members }, missing).length > 0;
  }

  #make(domain: string | undefined): void {
    this.#made += 1;
    const name = `m${this.#made}`;
    this.decided.push(`${this.now}: makes ${name}`);
    const { placed, rest } = takeRecord(this.#record, this.#members, start + this.now * 1000);
    const isStillborn = this.#random.next() < 0.05;
    this.#servers.push({
      name,
      domain,
      version: this.version,
      born: this.now,
      joins: isStillborn ? Infinity : this.now + 60 + Math.floor(this.#random.next() * 120),
      remediationFor: placed,
      id: BigInt(this.#made),
      etcd: "none",
      node: false,
      runs: true,
      reachable: true,
      illSince: undefined,
      leavingSince: undefined,
      held: true,
    });
    this.#record = rest;
  }

  /** Servers join, fail their health checks, and go. */
  #live(): void {
    const before = this.#voters.length;
    this.#servers = this.#servers.filter(({ held }) => held || this.#random.next() < 0.5);
    const joining = this.#servers.find((server) => !server.node && server.runs && server.leavingSince === undefined);
    if (joining !== undefined && this.now >= joining.joins) this.#join(joining);
    for (const server of this.#servers) {
      const isIll = server.node && !this.#isWell(server);
      server.illSince = isIll ? (server.illSince ?? this.now) : undefined;
    }
    this.#changed(before, "a server that joins");
  }

  /** As kubeadm does: a learner first, which votes once it runs. */
  #join(server: Server): void {
    if (this.#initialized && !this.#servers.some((other) => other !== server && this.#isWell(other))) return;
    if (server.etcd === "none" && this.#initialized) {
      server.etcd = "learner";
      return;
    }
    server.etcd = "voter";
    server.node = true;
    this.#initialized = true;
  }
}
