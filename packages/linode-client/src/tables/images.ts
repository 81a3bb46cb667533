import { deletes, lists, of, posts, puts, reads } from "../operation.ts";
import type { Page } from "../types/api.ts";
import type { CreateImage, Image, ImageUpload, UpdateImage, UploadImage } from "../types/services.ts";
import type {
  AddShareGroupMember,
  CreateShareGroup,
  CreateShareGroupToken,
  JoinedShareGroup,
  NewShareGroupToken,
  SharedImage,
  SharedImageChoice,
  ShareGroup,
  ShareGroupMember,
  ShareGroupToken,
  UpdateShareGroup,
} from "../types/share-groups.ts";

export const images = {
  list: lists("images", of<Image>),
  get: reads("images/$id", of<Image>),
  /** From a disk. */
  create: posts("images", of<CreateImage>, of<Image>),
  /** Where to put one; it is there once its status says so. */
  upload: posts("images/upload", of<UploadImage>, of<ImageUpload>),
  update: puts("images/$id", of<UpdateImage>, of<Image>),
  delete: deletes("images/$id"),
  /** The groups of the account that have it. */
  listShareGroups: lists("images/$id/sharegroups", of<ShareGroup>),
  /** The regions that it is kept in from then on. */
  replicate: posts("images/$id/regions", of<{ readonly regions: readonly string[] }>, of<Image>),
};

const group = "images/sharegroups/:id" as const;
const member = `${group}/members/$token` as const;
const token = "images/sharegroups/tokens/$uuid" as const;

/** Groups by which accounts share images: those of the account, and tokens for those of others. Only `v4beta` has them. */
export const shareGroups = {
  list: lists("images/sharegroups", of<ShareGroup>),
  get: reads(group, of<ShareGroup>),
  create: posts("images/sharegroups", of<CreateShareGroup>, of<ShareGroup>),
  update: puts(group, of<UpdateShareGroup>, of<ShareGroup>),
  delete: deletes(group),
  listImages: lists(`${group}/images`, of<SharedImage>),
  addImages: posts(`${group}/images`, of<{ readonly images: readonly SharedImageChoice[] }>, of<Page<SharedImage>>),
  updateImage: puts(`${group}/images/$image`, of<Omit<SharedImageChoice, "id">>, of<SharedImage>),
  removeImage: deletes(`${group}/images/$image`),
  listMembers: lists(`${group}/members`, of<ShareGroupMember>),
  getMember: reads(member, of<ShareGroupMember>),
  addMember: posts(`${group}/members`, of<AddShareGroupMember>, of<ShareGroupMember>),
  updateMember: puts(member, of<{ readonly label: string }>, of<ShareGroupMember>),
  removeMember: deletes(member),

  listTokens: lists("images/sharegroups/tokens", of<ShareGroupToken>),
  getToken: reads(token, of<ShareGroupToken>),
  /** The only answer with the token itself, which the owner of the group needs. */
  createToken: posts("images/sharegroups/tokens", of<CreateShareGroupToken>, of<NewShareGroupToken>),
  updateToken: puts(token, of<{ readonly label: string }>, of<ShareGroupToken>),
  /** Ends the membership. */
  deleteToken: deletes(token),
  /** The group that took a token. */
  getByToken: reads(`${token}/sharegroup`, of<JoinedShareGroup>),
  listImagesByToken: lists(`${token}/sharegroup/images`, of<SharedImage>),
};
