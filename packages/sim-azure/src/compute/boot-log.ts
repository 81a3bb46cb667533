import { signedBlobUrl, type StorageAccount, type StoredObject } from "@capstan/simulation/blob";
import type { Json, StoredResource } from "../state.ts";
import type { World } from "../world.ts";

const account = "md0diagnostics";

const containerOf = ({ name, guid }: StoredResource<object>): string =>
  `bootdiagnostics-${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .slice(0, 9)}-${guid}`;

const logName = ({ name, guid }: StoredResource<object>): string => `${name}.${guid}.serialconsole.log`;
const screenshotName = ({ name, guid }: StoredResource<object>): string => `${name}.${guid}.screenshot.bmp`;

/** The storage account of Azure's own in which the serial logs of machines are, as they are at this moment. */
export const diagnosticsAccount = ({ state, power, clock }: World): StorageAccount => {
  const machines = state.resources.filter(({ machine }) => machine !== undefined);
  const blobOf = (key: string, text: string): StoredObject => ({
    key,
    contentType: "application/octet-stream",
    body: Buffer.from(text).toString("base64"),
    size: Buffer.byteLength(text),
    etag: `"0x${text.length.toString(16)}"`,
    metadata: {},
    modified: clock.now(),
  });
  return {
    name: account,
    keys: [Buffer.from(`${state.key} diagnostics`).toString("base64")],
    containers: Object.fromEntries(
      machines.map((vm) => [
        containerOf(vm),
        [
          blobOf(
            logName(vm),
            power
              .console(vm.guid)
              .map((line) => `${line}\r\n`)
              .join(""),
          ),
          blobOf(screenshotName(vm), "BM"),
        ],
      ]),
    ),
  };
};

/** Where the serial log and the picture of a machine's screen are read from, for some minutes. */
export const bootLogUrls = (vm: StoredResource<object>, minutes: number, world: World): Json => {
  const urlOf = (blob: string): string =>
    signedBlobUrl({
      serviceUrl: world.blobUrl(),
      account: diagnosticsAccount(world),
      container: containerOf(vm),
      blob,
      expiresAt: world.clock.now() + minutes * 60_000,
    });
  return { consoleScreenshotBlobUri: urlOf(screenshotName(vm)), serialConsoleLogBlobUri: urlOf(logName(vm)) };
};
