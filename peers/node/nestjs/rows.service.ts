import { Injectable } from "@nestjs/common";
import { books, now, users } from "#shared/rows.js";

@Injectable()
export class RowsService {
  readonly now = now;
  readonly users = users;
  readonly books = books;
}
