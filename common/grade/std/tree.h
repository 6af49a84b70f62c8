#pragma GCC system_header
// The functions of the search trees of std::map and std::set, in place of those that the library
// contains compiled. The trees are not balanced; all nodes are black, and the head is red.
#ifndef GRADE_TREE
#define GRADE_TREE

#include <bits/stl_tree.h>

namespace std {

inline _Rb_tree_node_base *_Rb_tree_increment(_Rb_tree_node_base *x) noexcept
{
    if (x->_M_right)
        return _Rb_tree_node_base::_S_minimum(x->_M_right);
    _Rb_tree_node_base *y = x->_M_parent;
    for (; x == y->_M_right; y = y->_M_parent)
        x = y;
    return x->_M_right == y ? x : y;   // x: the head, above the last node
}
inline const _Rb_tree_node_base *_Rb_tree_increment(const _Rb_tree_node_base *x) noexcept
{
    return _Rb_tree_increment(const_cast<_Rb_tree_node_base *>(x));
}

inline _Rb_tree_node_base *_Rb_tree_decrement(_Rb_tree_node_base *x) noexcept
{
    if (x->_M_color == _S_red)
        return x->_M_right;
    if (x->_M_left)
        return _Rb_tree_node_base::_S_maximum(x->_M_left);
    _Rb_tree_node_base *y = x->_M_parent;
    for (; x == y->_M_left; y = y->_M_parent)
        x = y;
    return y;
}
inline const _Rb_tree_node_base *_Rb_tree_decrement(const _Rb_tree_node_base *x) noexcept
{
    return _Rb_tree_decrement(const_cast<_Rb_tree_node_base *>(x));
}

// The head's parent is the root; its children are the first and the last node.
inline void _Rb_tree_insert_and_rebalance(const bool left, _Rb_tree_node_base *x,
                                          _Rb_tree_node_base *p, _Rb_tree_node_base &head) noexcept
{
    x->_M_parent = p;
    x->_M_left = x->_M_right = nullptr;
    x->_M_color = _S_black;
    (left ? p->_M_left : p->_M_right) = x;
    if (p == &head)
        head._M_parent = head._M_left = head._M_right = x;
    else if (left && p == head._M_left)
        head._M_left = x;
    else if (!left && p == head._M_right)
        head._M_right = x;
}

// Puts y, or nothing, where x is.
inline void replace_tree_node(_Rb_tree_node_base *x, _Rb_tree_node_base *y,
                              _Rb_tree_node_base &head)
{
    _Rb_tree_node_base *p = x->_M_parent;

    (p == &head ? head._M_parent : p->_M_left == x ? p->_M_left : p->_M_right) = y;
    if (y)
        y->_M_parent = p;
}

inline _Rb_tree_node_base *_Rb_tree_rebalance_for_erase(_Rb_tree_node_base *const z,
                                                        _Rb_tree_node_base &head) noexcept
{
    _Rb_tree_node_base *first = head._M_left, *last = head._M_right;

    if (z == first)
        head._M_left = _Rb_tree_increment(z);
    if (z == last)
        head._M_right = _Rb_tree_decrement(z);
    if (!z->_M_left || !z->_M_right) {
        replace_tree_node(z, z->_M_left ? z->_M_left : z->_M_right, head);
        return z;
    }
    _Rb_tree_node_base *y = _Rb_tree_node_base::_S_minimum(z->_M_right);
    if (y->_M_parent != z) {
        replace_tree_node(y, y->_M_right, head);
        y->_M_right = z->_M_right;
        y->_M_right->_M_parent = y;
    }
    replace_tree_node(z, y, head);
    y->_M_left = z->_M_left;
    y->_M_left->_M_parent = y;
    return z;
}

}   // namespace std

#endif
