import type { Hardware } from "../api/hardware.ts";
import type { FoundHardware, HardwareIndex } from "../hardware/hardware-index.ts";
import { decodedSegment } from "../hardware/decoded-segment.ts";
import {
  refusal,
  type ServiceAnswer,
  type ServiceRequest,
  type ServiceRoute,
  type ServiceSources,
  text,
} from "../http/http-answer.ts";
import { ec2Text, ec2Tree } from "./ec2-tree.ts";
import { noCloudMetadata, noCloudNetwork } from "./no-cloud.ts";
import { plainUserData } from "./user-data.ts";

/** Some Hardware, or the answer that there is none to be served. */
export const served = (found: FoundHardware): { readonly hardware: Hardware } | { readonly refused: ServiceAnswer } =>
  "hardware" in found ? found : { refused: refusal(found.isDoubtful ? 500 : 404, found.missing) };

/** The one Hardware that has the address of who asks, or why there is none. */
export const hardwareOfClient = (
  { client }: ServiceRequest,
  { ofAddress }: HardwareIndex,
): { readonly hardware: Hardware } | { readonly refused: ServiceAnswer } =>
  client === undefined
    ? { refused: refusal(400, "the address of the client is not valid") }
    : served(ofAddress(client));

/** An answer about the Hardware that was found. */
const about = (
  found: ReturnType<typeof served>,
  answer: (hardware: Hardware) => Promise<ServiceAnswer>,
): Promise<ServiceAnswer> => ("refused" in found ? Promise.resolve(found.refused) : answer(found.hardware));

const ec2Answer = async (hardware: Hardware, path: string, { userDataOf }: ServiceSources): Promise<ServiceAnswer> => {
  if (/^\/+user-data\/*$/.test(path)) return text(await userDataOf(hardware));
  const found = ec2Text(ec2Tree(hardware), path);
  return found === undefined ? refusal(404, "there is no such metadata") : text(found);
};

/** Metadata in the form of EC2, of the machine that asks and of no other. */
export const ec2Route: ServiceRoute = (request, sources) => {
  const path = /^\/2009-04-04(\/.*)?$/.exec(request.path);
  if (path === null) return undefined;
  return about(hardwareOfClient(request, sources), (hardware) => ec2Answer(hardware, path[1] ?? "", sources));
};

/** The same by `metadata.instance.id`, for whoever knows it. */
export const instanceRoute: ServiceRoute = ({ path }, sources) => {
  const match = /^\/tootles\/instanceID\/([^/]+)\/2009-04-04(\/.*)?$/.exec(path);
  if (match === null) return undefined;
  const found = served(sources.ofInstance(decodedSegment(match[1]!) ?? ""));
  return about(found, (hardware) => ec2Answer(hardware, match[2] ?? "", sources));
};

const noCloudAnswer = async (
  hardware: Hardware,
  file: string,
  { userDataOf }: ServiceSources,
): Promise<ServiceAnswer> => {
  switch (file) {
    case "meta-data":
      return text(noCloudMetadata(hardware));
    case "user-data":
      return text(await userDataOf(hardware));
    case "vendor-data":
      return text(plainUserData(hardware.spec?.vendorData ?? ""));
    default: {
      const network = noCloudNetwork(hardware);
      return network === undefined ? refusal(404, "its Hardware has no interface with a MAC address") : text(network);
    }
  }
};

/** Metadata in the form of NoCloud, for `seedfrom: http://<address>:7080/nocloud/`. */
export const noCloudRoute: ServiceRoute = (request, sources) => {
  const file = /^\/nocloud\/(meta-data|user-data|vendor-data|network-config)$/.exec(request.path)?.[1];
  if (file === undefined) return undefined;
  return about(hardwareOfClient(request, sources), (hardware) => noCloudAnswer(hardware, file, sources));
};

/** Disks and file systems of the machine that asks, for the action that makes partitions. */
export const storageRoute: ServiceRoute = (request, sources) => {
  if (!/^\/metadata\/?$/.test(request.path)) return undefined;
  return about(hardwareOfClient(request, sources), async ({ spec }) => {
    const { disks = [], filesystems = [] } = spec?.metadata?.instance?.storage ?? {};
    const body = JSON.stringify({ metadata: { instance: { storage: { disks, filesystems } } } });
    return { status: 200, body, type: "application/json" };
  });
};
