-- A filter of pandoc: blocks of code in the largest size that fits the slide; what follows a pause (". . ."), where
-- pandoc has none. In dzslides, whose steps are the children of a block, that is one block. In PPTX, each step is a
-- slide, where a theme of highlighting has no size, new lines are bold and blue, old ones orange, and the number of the
-- slide follows its title.
local styles = { ['+'] = { ' b="1"', '0072B2' }, ['-'] = { ' i="1"', 'B04A00' } }
local is_pptx, is_dz = FORMAT == 'pptx', FORMAT == 'dzslides'

local function escaped(text) return (text:gsub('&', '&amp;'):gsub('<', '&lt;'):gsub('>', '&gt;')) end

local function raw(xml) return pandoc.RawInline('openxml', xml) end

local function run(line, size, marked)
    local style = marked and styles[line:sub(1, 1)] or { '', '111111' }
    return '<a:r><a:rPr lang="en-US" sz="' .. size .. '00"' .. style[1] .. '><a:solidFill><a:srgbClr val="' .. style[2] ..
        '"/></a:solidFill><a:latin typeface="Courier New"/><a:cs typeface="Courier New"/></a:rPr><a:t>' .. escaped(line) .. '</a:t></a:r>'
end

-- A size for lines of this width and a slide of this height, in the same unit as both.
local function size_for(lines, columns, width, height, least, most)
    return math.max(least, math.min(most, math.floor(width / (0.61 * columns)), math.floor(height / (1.3 * #lines))))
end

local function code(block)
    local lines, columns = {}, 1
    for line in (block.text .. '\n'):gmatch('([^\n]*)\n') do
        table.insert(lines, line)
        columns = math.max(columns, #line)
    end
    if not is_pptx then
        block.attributes.style = 'font-size: ' .. size_for(lines, columns, 1130, 520, 24, 34) .. 'px'
        return block
    end
    local size = size_for(lines, columns, 620, 262, 13, 24)
    for i, line in ipairs(lines) do lines[i] = run(line, size, block.classes:includes('diff')) end
    return pandoc.Para({ raw(table.concat(lines, '<a:br/>')) })
end

-- A cell of a table; the name of a stage may be broken after an underscore.
local function cell(text, size)
    local bold = #text.content == 1 and text.content[1].t == 'Strong' and ' b="1"' or ''
    return pandoc.Plain({ raw('<a:r><a:rPr lang="en-US" sz="' .. size .. '00"' .. bold .. '/><a:t>' .. escaped(pandoc.utils.stringify(text)):gsub('_', '_\u{200b}') .. '</a:t></a:r>') })
end

-- The rows of a table with its heads, and the letters of each column.
local function measured(rows)
    local simple, columns = pandoc.utils.to_simple_table(rows), {}
    local function measure(row)
        for i, blocks in ipairs(row) do columns[i] = math.max(columns[i] or 1, utf8.len(pandoc.utils.stringify(blocks))) end
    end
    measure(simple.headers)
    for _, row in ipairs(simple.rows) do measure(row) end
    return #simple.rows + 1, columns
end

-- A table in the largest size that fits. In PPTX, the first column, which has names, is as wide as two others.
local function cells(rows)
    local lines, columns = measured(rows)
    local letters, size = 2 * #columns, 20
    for i, n in ipairs(columns) do
        letters = letters + n
        size = math.min(size, math.floor(620 * (i == 1 and 2 or 1) / (#columns + 1) / (0.6 * (n + 1))))
    end
    if not is_pptx then
        rows.attr.attributes.style = 'font-size: ' .. math.max(28, math.min(42, math.floor(1130 / (0.6 * letters)), math.floor(460 / (1.5 * lines)))) .. 'px'
        return rows
    end
    size = math.max(14, math.min(size, math.floor(260 / (1.9 * lines))))
    for i, spec in ipairs(rows.colspecs) do rows.colspecs[i] = { spec[1], (i == 1 and 2 or 1) / (#columns + 1) } end
    return pandoc.walk_block(rows, { Plain = function(text) return cell(text, size) end })
end

local function title(header, number)
    if not is_pptx then return header end
    return pandoc.Header(header.level, { raw('<a:r><a:rPr lang="en-US" sz="2600"/><a:t>' .. escaped(pandoc.utils.stringify(header)) .. '</a:t></a:r>' ..
        '<a:r><a:rPr lang="en-US" sz="1200"><a:solidFill><a:srgbClr val="595959"/></a:solidFill></a:rPr><a:t>\u{2003}' .. number .. '</a:t></a:r>') })
end

local function is_pause(block) return block.t == 'Para' and pandoc.utils.stringify(block) == '. . .' end
local function is_notes(block) return block.t == 'Div' and block.classes:includes('notes') end
local function html(text) return pandoc.RawBlock('html', text) end

-- Whether one of these blocks is a table or a picture.
local function has_box(blocks, from, to)
    for i = from, to do
        local inside = blocks[i].content and blocks[i].content[1]
        if blocks[i].t == 'Table' or blocks[i].t == 'Figure' or (inside and inside.t == 'Image') then return true end
    end
    return false
end

-- Appends a slide: its title, and the blocks below it.
local function append_slide(all, header, blocks, number)
    local shown, notes, steps = {}, {}, {}
    for _, block in ipairs(blocks) do
        if is_notes(block) then
            table.insert(notes, block)
        elseif is_pause(block) and (is_pptx or is_dz) then
            table.insert(steps, #shown)
        else
            table.insert(shown, block)
        end
    end
    if is_pptx then
        local from = 1
        table.insert(steps, #shown)
        for _, step in ipairs(steps) do
            all:insert(title(header, number))
            -- PowerPoint's layouts have no place for text above a picture or a table.
            for i = has_box(shown, from, step) and from or 1, step do all:insert(shown[i]) end
            all:extend(notes)
            from = step + 1
        end
        return
    end
    all:insert(header)
    for i = 1, #shown do
        for k, step in ipairs(steps) do
            if step == i - 1 then all:insert(html((k > 1 and '</div>' or '<div class="incremental">') .. '<div>')) end
        end
        all:insert(shown[i])
    end
    if #steps > 0 then all:insert(html('</div></div>')) end
    all:extend(notes)
end

local function slides(document)
    local all, header, blocks, number = pandoc.List(), nil, {}, 1
    local function flush()
        if header then append_slide(all, header, blocks, number) else all:extend(blocks) end
    end
    for _, block in ipairs(document.blocks) do
        if block.t == 'Header' and block.level == 1 then
            flush()
            header, blocks, number = block, {}, number + 1
        else
            table.insert(blocks, block)
        end
    end
    flush()
    document.blocks = all
    return document
end

return { { CodeBlock = code, Table = cells }, { Pandoc = slides } }
