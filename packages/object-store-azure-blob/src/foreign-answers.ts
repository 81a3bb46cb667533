import type { RequestPolicyFactory } from "@azure/storage-blob";
import { isStatusOfAnybody } from "@capstan/kit/delivery";

/** The code of the failure that an answer is which is not the service's own. */
export const foreignAnswer = "ForeignAnswer";

/** Blobs of one page of a list: the SDK parses a page at once, and takes a millisecond for 1 to 2 KB. */
export const blobsOfPage = 25;
/** More than such a page, or an error, takes. Contents of blobs are streams, which are not counted here. */
const maxDocumentCharacters = 64 * 1024;

interface Answer {
  readonly status: number;
  readonly bodyAsText?: string | null;
  readonly headers: { get(name: string): string | undefined };
}

/**
 * The service names every answer that it gives, and gives none that is longer than what was asked for. Servers on the way that fail are
 * retried, as the service is.
 */
const isForeign = ({ bodyAsText, headers, status }: Answer): boolean =>
  (bodyAsText?.length ?? 0) > maxDocumentCharacters ||
  (!isStatusOfAnybody(status) && headers.get("x-ms-request-id") === undefined);

const refusal = (): Error => Object.assign(new Error("the response is not from the store"), { code: foreignAnswer });

/**
 * Proxies and portals on the way answer in the service's place with pages of their own, as if a blob had been stored or deleted, with 404,
 * as if it were gone, or with 403 or 407, as if a permission were missing. Such an answer is a failure, whatever the SDK makes of it.
 */
export const refuseForeignAnswers: RequestPolicyFactory = {
  create: (next) => ({
    sendRequest: async (request) => {
      const answer = await next.sendRequest(request).catch((error: unknown) => {
        const { response } = error as { readonly response?: Answer };
        throw response !== undefined && isForeign(response) ? refusal() : error;
      });
      if (!isForeign(answer)) return answer;
      (answer.readableStreamBody as { destroy?: () => void } | undefined)?.destroy?.();
      throw refusal();
    },
  }),
};
