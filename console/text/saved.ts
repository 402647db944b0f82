// Saved settings: how files with a certain header are read.

export const texts = {
  saved: {
    title: 'Saved settings',
    description:
      'How files with a certain header are read. The next file with this header is read in the same way, also for your colleagues.',
    empty: {
      title: 'No saved settings',
      text: 'When you read a file again in "Columns and formats", its settings are saved here.',
    },
    readAs: (name: string, by: string, at: string) => `Read as "${name}", saved by ${by} on ${at}`,
    chosen: (name: string, by: string, at: string) =>
      `The choices below are those of "${name}", saved by ${by} on ${at}`,
    nameOfNew: 'Name of the saved settings',
    saves: 'The next file with this header is read in this way. Without a name, nothing is saved.',
    failed: 'The settings were not saved',
    columns: { name: 'Name', operation: 'Operation', columns: 'Columns', by: 'Saved by', at: 'Saved', act: 'Actions' },
    isColumn: (header: string, column: string) => `"${header}": ${column}`,
    isValue: (column: string, value: string) => `${column} "${value}" for all rows`,
    sheet: (names: string) => `Sheet ${names}`,
    headerRow: (row: number) => `Header in row ${row}`,
    rename: 'Rename',
    renameOf: (name: string) => `Rename "${name}"`,
    newName: 'New name',
    notRenamed: 'The saved settings were not renamed',
    delete: 'Delete',
    deleteOf: (name: string) => `Delete "${name}"`,
    deleteTitle: (name: string) => `Delete the saved settings "${name}"?`,
    deleteText: 'The next file with this header is read as detected. Files that were read already do not change.',
    notDeleted: 'The saved settings were not deleted',
  },
};
