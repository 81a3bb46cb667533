import { expect } from "vitest";
import type { Tourist } from "./tourist.ts";

/** Shares two images: the account is also the member of its own group. */
export const tourShareGroups = async (
  { images, shareGroups: calls }: Tourist["client"],
  [first, second]: readonly [string, string],
): Promise<void> => {
  const about = { label: "golden", description: "of ours" };
  const { id, uuid } = await calls.create({ ...about, images: [{ ...about, id: first }] });
  await calls.addImages(id, { images: [{ ...about, id: second }] });
  await calls.list();
  await calls.get(id);
  await calls.update(id, { ...about, label: "silver" });
  expect((await images.listShareGroups(first)).map((group) => group.images_count)).toEqual([2]);
  expect((await images.get(first)).image_sharing?.shared_with).toMatchObject({ sharegroup_count: 1 });
  const [shared, other] = await calls.listImages(id);
  await calls.updateImage(id, shared!.id, { ...about, label: "renamed" });
  await calls.removeImage(id, other!.id);

  const { token, token_uuid } = await calls.createToken({ valid_for_sharegroup_uuid: uuid, label: "mine" });
  await calls.addMember(id, { token, label: "us" });
  await calls.listMembers(id);
  await calls.getMember(id, token_uuid);
  await calls.updateMember(id, token_uuid, { label: "ourselves" });
  await calls.listTokens();
  await calls.getToken(token_uuid);
  await calls.updateToken(token_uuid, { label: "still mine" });
  expect(await calls.getByToken(token_uuid)).toMatchObject({ uuid, label: "silver" });
  const seen = await calls.listImagesByToken(token_uuid);
  expect(seen.map(({ label, is_shared }) => ({ label, is_shared }))).toEqual([{ label: "renamed", is_shared: true }]);
  await calls.removeMember(id, token_uuid);
  await calls.deleteToken(token_uuid);
  await calls.delete(id);
};
