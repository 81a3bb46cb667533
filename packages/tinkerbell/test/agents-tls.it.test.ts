import { credentials } from "@grpc/grpc-js";
import { createCertificateAuthority, issueCertificate, type CertificateAndKey } from "@capstan/pki";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Template, Workflow } from "../src/api.ts";
import { startEnvironment, TinkerbellWorld } from "./world.ts";

const code = { notFound: 5, unavailable: 14 };
const data = "name: x\ntasks: [{name: t, worker: agent-1, actions: [{name: a, image: i}]}]";

let environment: ConformanceEnvironment;
let world: TinkerbellWorld;
let authority: CertificateAndKey;

const certificate = (commonName: string, usage: "client" | "server", by = authority) =>
  issueCertificate(by, {
    now: environment.clock.now(),
    commonName,
    hosts: usage === "server" ? ["127.0.0.1"] : [`${commonName}.agents`],
    usages: [usage],
    algorithm: "ECDSA-P256",
  });

const newAuthority = () => createCertificateAuthority({ now: environment.clock.now(), algorithm: "ECDSA-P256" });

/** Calls with a certificate, or without one. */
const show = (own?: CertificateAndKey): void => {
  const [key, chain] = own === undefined ? [] : [Buffer.from(own.key), Buffer.from(own.certificate)];
  world.credentials = credentials.createSsl(Buffer.from(authority.certificate), key ?? null, chain ?? null);
};

beforeAll(async () => {
  environment = await startEnvironment();
  authority = await newAuthority();
  const grpcTls = { ...(await certificate("server", "server")), clientCa: authority.certificate };
  world = await TinkerbellWorld.start(environment, { workerPolicy: "mtls", grpcTls });
  await world.create(Template, "t", { data });
  await world.create(Workflow, "w", { templateRef: "t" });
  await world.settled("w", ({ status }) => status?.state === "PENDING");
});
afterAll(async () => {
  await world.crash();
  await environment.stop();
});

it("an agent is who its certificate names", async () => {
  show(await certificate("agent-1", "client"));
  expect(await world.answer("GetAction", { agentId: "agent-1" })).toMatchObject({ name: "a", agentId: "agent-1" });
});

it("one whose certificate names another finds nothing", async () => {
  show(await certificate("agent-2", "client"));
  expect(await world.call("GetAction", { agentId: "agent-1" })).toMatchObject({ code: code.notFound });
});

it("one without a certificate, or with one of somebody else, is not let in", async () => {
  show();
  expect(await world.call("GetAction", { agentId: "agent-1" })).toMatchObject({ code: code.unavailable });
  show(await certificate("agent-1", "client", await newAuthority()));
  expect(await world.call("GetAction", { agentId: "agent-1" })).toMatchObject({ code: code.unavailable });
});

it("the API does not start when it could not know who calls", async () => {
  const started = TinkerbellWorld.start(environment, { workerPolicy: "mtls" });
  await expect(started).rejects.toThrow("workerPolicy mtls needs grpcTls with clientCa");
});
